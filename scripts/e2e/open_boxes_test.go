package e2e

import (
	"fmt"
	"strings"
	"testing"

	"cadem.example/scripts/e2e/drive"
)

// TestBoxes opens every view at the sizes of phones, tablets, desks and projectors, both ways up and with large letters: nothing lies over anything else, no
// text is cut, and the largest picture is at least 0.85 of what the best rows and columns of equal ones would give it.
func TestBoxes(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, "#v=1&data=town&place=lab")
		if v.Resize(390, 844) != nil {
			t.Skip("this engine cannot be given a size")
		}
		v.Until("page.ready && lab.drawn")
		for _, size := range [][2]int{{320, 640}, {390, 844}, {844, 390}, {768, 1024}, {1280, 800}, {1080, 1920}, {1920, 1080}} {
			v.must(v.Resize(size[0], size[1]))
			for k, link := range []string{"", "&show=layers", "&place=learn&lesson=2.2", "&big=1", "&big=1&place=learn&lesson=2.2",
				"&place=learn&lesson=1.4", "&place=learn&lesson=3.2", "&place=learn&lesson=3.1", "&show=embeddings", "&show=losses",
				"&show=knows", "&show=method", "&show=causality", "&place=learn", "&big=1&show=layers",
				"&big=1&show=knows"} {
				if k > 4 && !long() {
					break // the others are like these
				}
				v.Read(nil, "address.go", "#v=1&data=town&place=lab"+link)
				if strings.Contains(link, "lesson") {
					v.Until("see.visible && exercises.open", ".lesson-card")
				}
				v.Read(nil, "page.fourFrames")
				var found struct {
					Wrong    []string
					Share    *float64
					Pictures *float64
				}
				v.Read(&found, "checks.boxes")
				where := fmt.Sprintf("%d x %d, %q", size[0], size[1], link)
				for _, w := range found.Wrong {
					t.Errorf("%s: %s", where, w)
				}
				if found.Share != nil {
					t.Logf("%s: %.2f of the best, pictures have %.2f of the stage", where, *found.Share, *found.Pictures)
					if *found.Share < 0.85 {
						t.Errorf("%s: the largest picture has %.2f of the side that it could have", where, *found.Share)
					}
				}
			}
		}
		v.Check()
	})
}

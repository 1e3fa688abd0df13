package e2e

import (
	"testing"

	"cadem.example/scripts/e2e/drive"
)

// TestLinkLeavesOut opens links that leave parts out, and finds just those missing, and the stage alone where it is embedded.
func TestLinkLeavesOut(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link())
		for _, c := range []struct{ link, want string }{
			{"place=learn", "masthead places learn tabs stage play"},
			{"place=lab", "masthead places lab settings pulls tabs stage play"},
			{"place=learn&hide=learn.tabs", "masthead places stage play"},
			{"place=lab&hide=settings.pulls.places", "masthead lab tabs stage play"},
			{"embed=1", "pulls tabs stage play"},
			{"embed=1&place=data&hide=pulls.tabs", "stage play"}, // the stage, whatever the place
		} {
			v.Read(nil, "address.go", Small.Link()+"&"+c.link)
			var got string
			v.Read(nil, "page.frames") // the page has followed
			if v.Read(&got, "page.parts"); got != c.want {
				t.Errorf("%s shows %s, want %s", c.link, got, c.want)
			}
		}
		// On a phone, too, the stage of a frame has all that the run control leaves.
		if err := v.Resize(390, 844); err != nil {
			t.Skip(err)
		}
		v.Read(nil, "address.go", Small.Link()+"&embed=1&hide=pulls")
		var free float64
		v.Until("!see.visible", "#pulls")
		v.Read(&free, "lab.spare")
		if free > 1 {
			t.Errorf("an embedded stage leaves %.0f px", free)
		}
		v.Check()
	})
}

// TestLinkLocks opens links that lock the page and that write large: nothing that is locked takes the focus, and letters are larger.
func TestLinkLocks(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link()+"&place=lab")
		var before, after struct{ Focused, Size float64 }
		v.Read(&before.Focused, "page.focusable")
		v.Read(&before.Size, "lab.letters")
		v.Read(nil, "address.go", Small.Link()+"&place=lab&lock=1&big=1")
		v.Until("see.inert && page.big", "#settings-form")
		v.Read(&after.Focused, "page.focusable")
		v.Read(&after.Size, "lab.letters")
		if before.Focused != 3 || after.Focused != 0 || after.Size <= 1.1*before.Size {
			t.Errorf("%+v, locked and large %+v", before, after)
		}
		v.Go("learn")
		v.Finish()                                                    // the run control is not locked
		v.Read(nil, "address.go", "#v=1&data=town&lesson=3.1&lock=1") // nor does a card change what is locked
		v.Until("see.disabled && exercises.isCalled", "#lesson-knob", "Without matching")
		for _, css := range []string{"#lesson-do", "#lesson-train"} {
			if v.visible(css) {
				t.Errorf("a locked card has %s", css)
			}
		}
		v.Check()
	})
}

// TestLinkLooksBack opens a link to an epoch, at a pace and with nodes chosen: all three are as the link says, and changes by hand appear in the
// link.
func TestLinkLooksBack(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := Open(t, engine, NewSite(t), drive.Options{}, Small.Link()+"&place=lab&at=5&pace=25&select=0-2.7")
		v.Until("lab.untouched && see.is", "#pace-text", "25 epochs/s")
		v.Want(".picked", "4 nodes: node 0, node 1, node 2, node 7")
		st := v.Finish()
		v.Until("lab.timeIs", "5")
		v.Want("#epoch-text", "epoch 12 of 12", "fingerprint "+st.Hash)
		v.Want(".picked", "4 nodes") // they stay for the run
		v.Pace(fullSpeed)
		v.Read(nil, "lab.toLatest")
		v.Until("!address.placed && address.has", "select=0-2.7")
		v.Enter("#find-node", "9")
		v.Until("address.has", "select=9")
		v.Read(nil, "address.replace", "select=9", "select=3-4")
		v.Until("node.pickedIs", "2 nodes: node 3, node 4")
		v.Push(".picked button")
		v.Until("!address.has", "select=")
		v.Read(nil, "address.add", "&select=88-95")
		v.Until("address.has", "select=88-89") // the graph has 90 nodes
		v.Enter("#dataOptions-nodes", "40")
		v.Until("settings.dataOption && !address.has", "nodes", 40, "select=") // other nodes have the numbers
		v.Check()
	})
}

// TestPlacesBack goes through places while a run trains, and by the browser's buttons back through them and on again. The run
// goes on, and each place has its own address.
func TestPlacesBack(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		v := OpenReady(t, engine, Small.Link()+"&place=lab")
		v.Pace(slowest)
		v.Push("#play")
		v.Until("lab.running")
		run := v.State().Run
		var before, after int
		v.Read(&before, "page.past")
		at := func(place string) {
			t.Helper()
			v.Until("page.at && settings.place && address.place", place, place, place)
		}
		v.Go("data")
		v.Go("data") // where it is
		v.Go("runs")
		at("runs")
		for _, step := range []struct {
			by    int
			place string
		}{{-1, "data"}, {-1, "lab"}, {2, "runs"}, {-2, "lab"}} {
			v.Read(nil, "page.back", step.by)
			at(step.place)
		}
		v.Go("data") // what was ahead is gone
		at("data")
		if v.Read(&after, "page.past"); after != before+1 {
			t.Errorf("%d addresses to go to, %d before; one place ahead of it was chosen", after, before)
		}
		if st := v.State(); st.Run != run || st.Phase != "running" {
			t.Errorf("run %s %s, want %s running", st.Run, st.Phase, run)
		}
		v.Check()
	})
}

// TestFrame opens the page that frames the stage: the frame trains, and neither page may frame what is of another origin.
func TestFrame(t *testing.T) {
	Each(t, func(t *testing.T, engine string) {
		s := NewSite(t)
		v := &Visit{Browser: Start(t, engine, drive.Options{}), Site: s, t: t}
		v.must(v.Navigate(s.URL + "frame.html"))
		v.Until("framed.ready")
		var got string
		if v.Read(&got, "page.parts"); got != "tabs stage play" {
			t.Errorf("the frame shows %s", got)
		}
		v.Read(nil, "framed.train")
		v.Until("framed.finished")
		v.Check()
		other := lay(t) // at a port that browsers do not shun before they look at the policy
		var blocked string
		v.Read(&blocked, "framed.blocked", "http://"+other.addr)
		if n := other.hits.Load(); blocked != "frame-src" || n > 0 {
			t.Errorf("a frame of another origin was stopped by %q, and asked for %d times", blocked, n)
		}
	})
}

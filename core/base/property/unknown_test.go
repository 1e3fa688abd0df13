package property

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	names := []string{"epochs", "inner_steps", "eval_epochs", "hidden", "heads", "gamma", "kmeans_restarts"}
	for name, want := range map[string]string{
		"epoch": "epochs", "epohcs": "epochs", "Epochs": "epochs", "hiden": "hidden", "gama": "gamma", "kmeans": "kmeans_restarts",
		"inner-step": "inner_steps", "h": "", "colour": "", "": "", "temperature": "",
	} {
		if got := Nearest(name, names); got != want {
			t.Errorf("nearest to %q is %q, expected %q", name, got, want)
		}
	}
}

func TestUnknownNamesListWhatThereIs(t *testing.T) {
	var first struct {
		Epochs int `name:"epochs" min:"1" default:"2" doc:"..."`
	}
	var second struct {
		Mode string `name:"mode" choices:"released|printed" default:"released" doc:"..."`
	}
	err := SetFirst("epcohs", "3", &first, &second)
	if want := "epcohs: found an unknown option, expected one of epochs, mode; did you mean epochs?"; err == nil || err.Error() != want {
		t.Errorf("%v\nexpected %s", err, want)
	}
	if err := SetFirst("mode", "printd", &first, &second); err == nil || !strings.HasSuffix(err.Error(), "one of released, printed; did you mean printed?") {
		t.Error(err)
	}
	if err := SetFirst("mode", "printed", &first, &second); err != nil || second.Mode != "printed" {
		t.Errorf("%v, %q", err, second.Mode)
	}
}

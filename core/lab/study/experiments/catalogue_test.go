package experiments

import (
	"testing"

	"cadem.example/core/base/json"
)

func TestCatalogueIsJSON(t *testing.T) {
	var c Catalogue
	if err := json.Unmarshal(NewCatalogue().JSON(), &c); err != nil {
		t.Fatal(err)
	}
	if len(c.Groups.Training) == 0 || len(c.Groups.Data) != len(c.Examples) {
		t.Errorf("%d training options, data of %d examples", len(c.Groups.Training), len(c.Groups.Data))
	}
}

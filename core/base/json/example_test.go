package json_test

import (
	"fmt"

	"cadem.example/core/base/json"
)

func ExampleUnmarshal() {
	var run struct {
		Epochs int     `json:"epochs"`
		Rate   float64 `json:"lr"`
	}
	fmt.Println(json.Unmarshal([]byte(`{"epochs": 200, "lr": 0.01}`), &run), run)
	fmt.Println(json.Unmarshal([]byte(`{"epochs": "many"}`), &run))
	// Output:
	// <nil> {200 0.01}
	// epochs: found string, expected a whole number
}

func ExampleMarshal() {
	text, err := json.Marshal(map[string]any{"ok": true, "losses": []float64{0.5, 1e-9}})
	fmt.Println(string(text), err)
	// Output: {"losses":[0.5,1e-9],"ok":true} <nil>
}

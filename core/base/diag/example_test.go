package diag_test

import (
	"errors"
	"fmt"

	"cadem.example/core/base/diag"
)

func ExampleError() {
	err := fmt.Errorf("opening: %w", &diag.Error{File: "my.edges", Line: 3, Where: "weight", Found: `"-1"`, Expected: "a finite number >= 0"})
	var e *diag.Error
	if errors.As(err, &e) {
		fmt.Println(e.Line, e.Where)
		fmt.Println(e)
	}
	// Output:
	// 3 weight
	// my.edges:3: weight: found "-1", expected a finite number >= 0
}

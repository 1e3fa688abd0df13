package precision_test

import (
	"fmt"

	"cadem/core/precision"
)

func ExampleBits_Check() {
	fmt.Println(precision.Single.Check())
	// Output: <nil>
}

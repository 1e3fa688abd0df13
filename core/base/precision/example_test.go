package precision_test

import (
	"fmt"

	"cadem.example/core/base/precision"
)

func ExampleBits_Check() {
	fmt.Println(precision.Single.Check())
	// Output: <nil>
}

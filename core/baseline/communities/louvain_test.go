package communities

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	xrand "golang.org/x/exp/rand"
	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/community"
	"gonum.org/v1/gonum/graph/simple"

	"cadem/core/multiplex"
	"cadem/core/rng"
)

// Package loops has the kernels work on arrays of the sizes that the compared methods give them, to be
// timed natively and in a browser. Other programs make the same arrays: torch/loops.py.
package loops

import (
	"fmt"
	"hash/fnv"
	"time"

	"cadem/core/kernel"
)

// The sizes. The sparse matrix is like the largest layer of ACM.
const (
	nodes    = 3000
	features = 512
	narrow   = 64

	papers  = 3025
	density = 0.24 // 2.2 million entries

	words   = 10_000
	pairs   = 20_000
	targets = 6    // of a pair: what comes with it, and five that were drawn
	rate    = 1e-4 // so small that the order of updates hardly matters, by which programs differ

	items   = 100_000
	classes = 16
	spread  = 20 // of the numbers that softmax takes
)

// A Loop is a kernel on arrays of its own. Its arrays are made when they are first needed.
type Loop struct {
	Key, What string
	make      maker
	run       func()
}

// A maker makes arrays, and gives what works on them and what tells the result.
type maker func() (run func(), found func() Check)

// All returns the loops.
func All() []*Loop {
	return []*Loop{
		{Key: "dense32", What: "3000 x 512 by 512 x 512, float32", make: product[float32](features)},
		{Key: "dense64", What: "3000 x 512 by 512 x 512, float64", make: product[float64](features)},
		{Key: "narrow32", What: "3000 x 512 by 512 x 64, float32", make: product[float32](narrow)},
		{Key: "transposed32", What: "transposed 3000 x 512 by 3000 x 512, float32", make: transposed[float32]},
		{Key: "sparse32", What: "sparse, 2.2 million entries by 64 columns, float32", make: sparse[float32]},
		{Key: "sparse64", What: "sparse, 2.2 million entries by 64 columns, float64", make: sparse[float64]},
		{Key: "skipgram32", What: "skip-gram updates, 20000 pairs of 64 columns, 6 targets each, float32", make: skipGram[float32]},
		{Key: "softmax64", What: "softmax over 100000 rows of 16, float64", make: softmax},
	}
}

// Find returns the loop of a key, nil if there is none.
func Find(list []*Loop, key string) *Loop {
	for _, l := range list {
		if l.Key == key {
			return l
		}
	}
	return nil
}

// A Check tells what a loop finds when it runs once, on fresh arrays: a number by which other programs
// are compared, and a hash of the bits.
type Check struct {
	Sum  float64 `json:"sum"` // of the squares of the result; of skip-gram the loss
	Hash string  `json:"hash"`
}

// Check runs the loop once.
func (l *Loop) Check() Check {
	run, found := l.make()
	run()
	return found()
}

// briefly is how long a measurement lasts at least.
const briefly = 50 * time.Millisecond

// Milliseconds measures how long a run takes.
func (l *Loop) Milliseconds() float64 {
	if l.run == nil {
		l.run, _ = l.make()
	}
	return Milliseconds(l.run)
}

// Milliseconds of a call of f, as often as is needed to tell.
func Milliseconds(f func()) float64 {
	began, n := time.Now(), 0
	for n == 0 || time.Since(began) < briefly {
		f()
		n++
	}
	return 1000 * time.Since(began).Seconds() / float64(n)
}

// check makes one of arrays.
func check[T kernel.Float](arrays ...[]T) Check {
	sum, h := 0.0, fnv.New64a()
	for _, x := range arrays {
		for _, v := range x {
			sum += float64(float64(v) * float64(v))
		}
		_, _ = h.Write(kernel.AppendBytes(nil, x)) // cannot fail
	}
	return Check{sum, fmt.Sprintf("%016x", h.Sum64())}
}

// mix returns number i of a sequence without a pattern.
func mix(i int) uint32 {
	x := uint32(i)
	x ^= x >> 15
	x *= 0x2c1b3c6d
	x ^= x >> 12
	x *= 0x297a2d39
	return x ^ x>>15
}

// Fill returns n numbers between -1/2 and 1/2, other ones for every seed.
func Fill[T kernel.Float](n, seed int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(float64(mix(i+seed<<24))/(1<<32) - 0.5)
	}
	return x
}

func product[T kernel.Float](d int) maker {
	return func() (func(), func() Check) {
		a, b, dst := Fill[T](nodes*features, 1), Fill[T](features*d, 2), make([]T, nodes*d)
		return func() { kernel.Mul(dst, a, b, nodes, features, d) }, func() Check { return check(dst) }
	}
}

func transposed[T kernel.Float]() (func(), func() Check) {
	a, g := Fill[T](nodes*features, 1), Fill[T](nodes*features, 2)
	dst := make([]T, features*features)
	return func() { kernel.AddMulTrans(dst, a, g, nodes, features, features) }, func() Check { return check(dst) }
}

func sparse[T kernel.Float]() (func(), func() Check) {
	start, index := []int32{0}, []int32(nil)
	for i := range papers {
		for j := range papers {
			if float64(mix(i*papers+j)) < density*(1<<32) {
				index = append(index, int32(j))
			}
		}
		start = append(start, int32(len(index)))
	}
	value, b, dst := Fill[T](len(index), 1), Fill[T](papers*narrow, 2), make([]T, papers*narrow)
	return func() { kernel.SparseMul(dst, start, index, value, b, narrow) }, func() Check { return check(dst) }
}

func skipGram[T kernel.Float]() (func(), func() Check) {
	input, table, change, loss := Fill[T](words*narrow, 1), Fill[T](words*narrow, 2), make([]T, narrow), 0.0
	row := func(i, seed int) int { return int(mix(i+seed<<24) % words) }
	var list []int32
	for i := range pairs * targets {
		t := 2 * row(i, 4)
		if i%targets == 0 {
			t++
		}
		list = append(list, int32(t))
	}
	run := func() {
		loss = 0
		for p := range pairs {
			x := input[row(p, 3)*narrow:][:narrow]
			clear(change)
			loss += kernel.SkipGram(table, x, change, list[p*targets:(p+1)*targets], rate)
			for k, v := range change {
				x[k] += v
			}
		}
	}
	return run, func() Check {
		c := check(input, table)
		c.Sum = loss
		return c
	}
}

// softmax keeps the rows column by column, as the evaluation does.
func softmax() (func(), func() Check) {
	x, top, sum := Fill[float64](items*classes, 1), make([]float64, items), make([]float64, items)
	for i := range x {
		x[i] *= spread
	}
	return func() { kernel.Softmax(x, top, sum) }, func() Check { return check(x) }
}

package kernel

// A Call is one of a SIMD kernel that works on another memory than this program's: the kernel's name
// and what it takes, arrays by where they begin in that memory, in bytes. Numbers are float32 and
// embeddings have eight columns.
type Call struct {
	Name string
	Args []int
}

// number is the bytes of one.
const number = 4

// MulCalls do what [Mul] does.
func MulCalls(dst, a, b, n, h, d int) (list []Call) {
	fours := n &^ 3
	if fours > 0 {
		list = append(list, Call{"product4x8", []int{a, b, dst, fours, h, h, d}})
	}
	if fours < n {
		list = append(list, Call{"product1x8", []int{a + number*fours*h, b, dst + number*fours*d, n - fours, h, h, d}})
	}
	return list
}

// AddMulTransCalls do what [AddMulTrans] does.
func AddMulTransCalls(dst, a, g, n, h, d int) (list []Call) {
	fours := n &^ 3
	if fours > 0 {
		list = append(list, Call{"transposed4x8", []int{a, g, dst, fours, h}})
	}
	if fours < n {
		list = append(list, Call{"transposed8", []int{a + number*fours*h, g + number*fours*d, dst, n - fours, h, h, d}})
	}
	return list
}

// AdamCall does what [Adam] does without decay, for a multiple of 4 numbers; at is where w, m, v and g begin. The
// numbers of the [AdamRate] lie at rate.
func AdamCall(at []int, n, rate int) Call { return Call{"adamPlain", append(at, rate, n, 0)} }

// AdamFactoredCall does what [AdamFactored] does without decay, for h a multiple of 16; at is where w1, m, v, u,
// du, old and w2 begin. There is room for h x 8 numbers at scratch.
func AdamFactoredCall(at []int, n, h, scratch, rate int) Call {
	return Call{"adam", append(at, scratch, rate, n, h)}
}

package kernel

import (
	"encoding/binary"
	"math"
)

// AppendBytes appends the numbers of a to out, each with its lowest byte first.
func AppendBytes[T Float](out []byte, a []T) []byte {
	if raw := memory(a); raw != nil {
		return append(out, raw...)
	}
	for _, v := range a {
		switch v := any(v).(type) {
		case float32:
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
		case float64:
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(v))
		}
	}
	return out
}

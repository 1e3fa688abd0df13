//go:build goexperiment.simd && amd64

package kernel

func init() {
	narrower = func(f func()) {
		if !wideReady {
			return
		}
		wideReady = false
		f()
		wideReady = true
	}
}

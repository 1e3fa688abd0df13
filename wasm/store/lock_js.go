package store

import (
	"errors"
	"syscall/js"

	"cadem/wasm/bridge"
)

// An ownership is the site's Web Lock, held until it is released or the worker ends.
type ownership struct{ resolve js.Value }

// own takes the lock of that name if it is free; without it the ownership is nil.
func own(name string) (*ownership, error) {
	locks := js.Global().Get("navigator").Get("locks")
	if !locks.Truthy() {
		return nil, errors.New("the browser offers no locks to this page, without which two tabs could overwrite each other. It needs a secure " +
			"address (https or this machine).")
	}
	o := &ownership{}
	// The lock is held as long as this promise is pending.
	executor := js.FuncOf(func(_ js.Value, args []js.Value) any {
		o.resolve = args[0]
		return nil
	})
	defer executor.Release()
	held := js.Global().Get("Promise").New(executor)

	granted := make(chan bool, 1)
	taken := js.FuncOf(func(_ js.Value, args []js.Value) any {
		ok := args[0].Truthy()
		granted <- ok
		if ok {
			return held
		}
		return nil
	})
	defer taken.Release()
	refused := make(chan error, 1)
	failed := js.FuncOf(func(_ js.Value, args []js.Value) any {
		select {
		case refused <- js.Error{Value: args[0]}:
		default:
		}
		return nil
	})
	// Never released: the promise may be rejected at any later time.
	promise, err := bridge.Call(locks, "request", name, map[string]any{"ifAvailable": true}, taken)
	if err != nil {
		return nil, err
	}
	promise.Call("catch", failed)
	select {
	case ok := <-granted:
		if !ok {
			return nil, nil
		}
		return o, nil
	case err := <-refused:
		return nil, err
	}
}

func (o *ownership) release() { o.resolve.Invoke() }

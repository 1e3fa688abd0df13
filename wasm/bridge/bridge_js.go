package bridge

import (
	"sync"
	"syscall/js"
)

// HeapLimit is where the collector begins to work hard. WebAssembly has 4 GB at most and
// never gives memory back; beyond it the program ends.
const HeapLimit = 3 << 30

var (
	global     = js.Global()
	uint8Array = global.Get("Uint8Array")
)

// ToJS copies bytes into a fresh Uint8Array of exactly their length. A view of the
// program's memory must never be posted or stored: structured clone would copy all of
// that memory with it.
func ToJS(b []byte) js.Value {
	u := uint8Array.New(len(b))
	js.CopyBytesToJS(u, b)
	return u
}

// FromJS copies a Uint8Array.
func FromJS(u js.Value) []byte {
	b := make([]byte, u.Get("byteLength").Int())
	js.CopyBytesToGo(b, u)
	return b
}

// Prefix returns the base path of the site. The names of all stored data begin with it: the sites
// of one host share their storage.
func Prefix() string { return global.Get("cademPrefix").String() }

// Listen puts requests of the page into the inbox, from now on. The page learns which kinds the
// program answers, if other programs answer more.
func Listen(in *Inbox, answers ...string) {
	list := global.Get("Array").New()
	for _, a := range answers {
		list.Call("push", a)
	}
	global.Set("cademAnswers", list)
	send := global.Get("cademPost")
	post := func(header string, body []byte, blobs []Blob) {
		bytes, beside := js.Undefined(), global.Get("Array").New()
		if body != nil {
			bytes = ToJS(body)
		}
		for _, b := range blobs {
			beside.Call("push", b.(*blob).value)
		}
		send.Invoke(header, bytes, beside)
	}
	global.Set("cademReceive", js.FuncOf(func(_ js.Value, args []js.Value) any {
		// Inside a callback nothing may block, so this only copies and queues.
		var body []byte
		if len(args) > 1 && args[1].Truthy() {
			body = FromJS(args[1])
		}
		if r := Open(args[0].String(), body, blobsOf(args), post); r != nil {
			in.Put(r)
		}
		return nil
	}))
}

var yielding struct {
	once     sync.Once
	mu       sync.Mutex
	wake     chan struct{}
	request  js.Value // called with argument, it calls callback later
	argument js.Value
	callback js.Func
}

// Yield lets the messages that wait be delivered. It costs about 0.1 ms through a
// MessageChannel; time.Sleep costs 4 ms and runtime.Gosched delivers nothing. On the
// page, where no worker script has set cademYield, it makes a channel of its own.
func Yield() {
	y := &yielding
	y.once.Do(func() {
		y.wake = make(chan struct{}, 1)
		y.callback = js.FuncOf(func(js.Value, []js.Value) any {
			y.wake <- struct{}{}
			return nil
		})
		y.request, y.argument = global.Get("cademYield"), y.callback.Value
		if !y.request.Truthy() {
			channel := global.Get("MessageChannel").New()
			channel.Get("port1").Set("onmessage", y.callback)
			port := channel.Get("port2")
			y.request, y.argument = port.Get("postMessage").Call("bind", port), js.Null()
		}
	})
	y.mu.Lock()
	defer y.mu.Unlock()
	y.request.Invoke(y.argument)
	<-y.wake
}

// Call calls a method of a JavaScript object and returns what it throws as an error,
// a [js.Error].
func Call(object js.Value, method string, args ...any) (result js.Value, err error) {
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case js.Error:
			err = cause
		default:
			panic(cause)
		}
	}()
	return object.Call(method, args...), nil
}

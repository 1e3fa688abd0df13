package worker

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/base/frugal"
	"cadem.example/core/base/json"
	"cadem.example/wasm/bridge"
)

// arguments are those of the page's requests.
var arguments = []string{
	``, syn1, short, short + `,"paused":true`, `"action":"play"`, `"action":"set","pace":2,"watch":false,"live":{"lr_heads":0.1}`, `"action":"step"`,
	`"embedding":"common","k":3,"eval_seed":1`, `"options":{"kmeans_runs":1,"folds":2},"eval_seed":1`, `"what":"csv"`, `"what":"run","record":{"run":"a"}`,
	`"name":"a-run.zip"`, `"share":0.2`, `"axes":"tsne","of":"C"`, `"placed":true`, `"data":{"files":[{"name":"a.edges","size":9}]}`,
	`"data":{"example":"syn2","options":{"nodes":20,"layers":2},"data_seed":1}`, `"order":{"study":"gamma","seeds":1}`,
	`"task":{"name":"t","data":{"example":"syn2","options":{"nodes":20}},"preset":"released","options":{"epochs":1},"model_seed":1,"eval_seed":1}`,
	`"tasks":[{"data":{"example":"syn2"},"preset":"released"}]`, `"choice":{"layers":["a"]},"options":{},"preset":"released"`, `"core":true`,
	`"method":"deepwalk","options":{"dim":2,"walks":1,"length":3},"model_seed":7`, `"method":"modularity","level":"lite","paused":true`,
	`"task":{"data":{"example":"syn2","options":{"nodes":20}},"method":"closed","model_seed":1},"key":"k"`,
	`"order":{"study":"gamma"},"results":[{"key":"k"}]`, `"names":["a","b"],"epoch":1,"seed":1`,
}

// slowly tells of arguments that ask for much and may be in range: nobody refuses what takes long.
var slowly = regexp.MustCompile(`(^|\D)\d{3,9}(\D|$)|\d[eE]`)

// envelope recognises arguments that would override the client's fields of every request.
var envelope = regexp.MustCompile(`"(v|id|kind|slabs)"\s*:`)

// FuzzRequests sends any arguments and bytes with every kind of request, to a worker that has a run. Each is answered, without a panic,
// and the worker goes on.
func FuzzRequests(f *testing.F) {
	fuzzRequests(f, newWhole(bridge.NewInbox(), func() {}).requests,
		`"options":{"epochs":2,"inner_steps":1,"hidden":2,"dim":2},"preset":"released","model_seed":7,"paused":true`,
		newWhole)
}

// FuzzMethodRequests does the same to the worker that trains the other methods.
func FuzzMethodRequests(f *testing.F) {
	fuzzRequests(f, newMethods(bridge.NewInbox(), func() {}).requests, `"method":"vgae","options":{"dim":2,"epochs":2},"model_seed":7,"paused":true`,
		newMethods)
}

// fuzzRequests fuzzes a worker that begin returns, with a run that train begins.
func fuzzRequests(f *testing.F, kinds map[string]request, train string, begin func(*bridge.Inbox, func()) *Worker) {
	for i := range arguments {
		f.Add(uint8(i), arguments[i], []byte("1 1 2 1\n2 1 2 1\n"))
	}
	names := slices.Sorted(maps.Keys(kinds))
	f.Fuzz(func(t *testing.T, which uint8, args string, file []byte) {
		args = strings.TrimSpace(args)
		if !json.Valid([]byte("{"+args+"}")) || slowly.MatchString(args) || envelope.MatchString(args) {
			return
		}
		c := &client{t: t, in: bridge.NewInbox(), got: make(chan *message, 10000)}
		asks := false // what takes longer than a slice is cancelled
		w := begin(c.in, func() {
			if asks {
				c.send("cancel", "")
			}
		})
		ask := func(kind, args string, slabs ...bridge.Slab) {
			c.send(kind, args, slabs...)
			for r := w.next(); r != nil; r = w.next() {
				w.answer(r)
			}
		}
		ask("open", `"data":{"example":"syn2","options":{"nodes":12},"data_seed":3}`)
		ask("train", train)
		if w.run == nil {
			t.Fatal("no run to ask of")
		}
		kind := names[int(which)%len(names)]
		asks = true
		frugal.Check(t, len(args)+len(file), func() {
			ask(kind, args, bridge.Bytes("file", file), bridge.Bytes("file:0", file), bridge.Bytes("checkpoint", file))
		})
		asked := c.next
		ask("open", `"data":{"example":"syn2","options":{"nodes":12},"data_seed":3}`) // ends what goes on
		answered := map[int64]bool{}
		for len(c.got) > 0 {
			m := <-c.got
			answered[m.ID] = answered[m.ID] || m.Kind == "reply"
			if m.Error != nil && strings.Contains(m.Error.Message, "made a mistake") {
				t.Fatalf("%s %s: %s", kind, args, m.Error.Message)
			}
		}
		for id := range asked {
			if !answered[id+1] {
				t.Fatalf("%s %s: request %d of %d is not answered", kind, args, id+1, asked)
			}
		}
	})
}

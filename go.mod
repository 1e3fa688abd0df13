module cadem.example

go 1.26

require (
	github.com/evanw/esbuild v0.28.2
	github.com/hack-pad/go-indexeddb v0.3.2
	golang.org/x/text v0.31.0
	gonum.org/v1/gonum v0.17.0
	honnef.co/go/js/dom/v2 v2.0.0-20250304181735-b5e52f05e89d
)

require (
	github.com/hack-pad/safejs v0.1.0 // indirect
	golang.org/x/sys v0.4.0 // indirect
)

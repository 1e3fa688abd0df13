package console

import (
	"errors"
	"flag"
	"fmt"
	"io"
)

// ParseFlags reads the arguments of a program that takes flags alone. Unless ok, the program is
// to end with the exit code: 0 after help that was asked for, which goes to stdout, 2 after
// anything else.
func ParseFlags(f *flag.FlagSet, args []string, stdout, stderr io.Writer) (code int, ok bool) {
	f.Init(f.Name(), flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	err := f.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		f.SetOutput(stdout)
		fmt.Fprintf(stdout, "usage: %s [flag]...\n\n", f.Name())
		f.PrintDefaults()
		return 0, false
	}
	if err == nil && f.NArg() > 0 {
		err = fmt.Errorf("found the argument %q, expected flags alone", f.Arg(0))
	}
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v; -h lists the flags\n", f.Name(), err)
		return 2, false
	}
	return 0, true
}

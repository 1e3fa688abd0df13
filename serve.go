// Command cadem builds the site if it is stale and serves it to this machine:
//
//	go run . [-addr 127.0.0.1:8080] [-dir dist] [-run run.zip] [-open]
//
// The site needs no server of its own: any static host will do. This one adds the headers that only
// a server can send.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"cadem.example/scripts/build/builder"
	"cadem.example/scripts/cadem/console"
)

func main() { os.Exit(command(os.Args[1:], os.Stdout, os.Stderr)) }

// command serves as the arguments say and returns the exit code.
func command(args []string, stdout, stderr io.Writer) int {
	f := flag.NewFlagSet("serve", flag.ExitOnError)
	addr := f.String("addr", "127.0.0.1:8080", "address to listen at; the next free port is taken if this one is in use")
	dir := f.String("dir", "dist", "folder of the site, built there when stale; a folder with another site in it is served as it is")
	kept := f.String("run", "", "a saved run, `run.zip`, for the page to open")
	open := f.Bool("open", false, "open the page in the browser")
	if code, ok := console.ParseFlags(f, args, stdout, stderr); !ok {
		return code
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(withParent(ctx), *addr, *dir, *kept, *open, stderr); err != nil {
		fmt.Fprintln(stderr, "serve:", err)
		return 1
	}
	return 0
}

// run builds, listens and serves until ctx ends, with the file of a run that the page opens, if there is one.
func run(ctx context.Context, addr, dir, kept string, open bool, log io.Writer) error {
	if builder.Foreign(dir) {
		fmt.Fprintf(log, "serving %s as it is: it was not built here\n", dir)
	} else if err := ensure(dir, log); err != nil {
		return err
	}
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("-addr: %q is not an address (expected host:port such as 127.0.0.1:8080)", addr)
	}
	h, err := newSite(dir, loopback(host))
	if err != nil {
		return err
	}
	opens := ""
	if kept != "" {
		if opens, err = h.hand(kept); err != nil {
			return err
		}
	}
	l, err := listen(addr, log)
	if err != nil {
		return err
	}
	url := "http://" + l.Addr().String() + "/"
	if !loopback(host) {
		_, port, err := net.SplitHostPort(l.Addr().String())
		if err != nil {
			return err
		}
		if ip := net.ParseIP(host); host == "" || (ip != nil && ip.IsUnspecified()) {
			url = "http://localhost:" + port + "/" // no browser opens the address of all interfaces
		}
		fmt.Fprintf(
			log,
			"warning: the page is open to the network: any machine that reaches this one can load it (-addr 127.0.0.1:%s keeps it to this machine)\n",
			port,
		)
	}
	url += opens
	fmt.Fprintf(log, "open %s in a browser; Ctrl-C ends\n", url)
	if open {
		if err := openBrowser(url); err != nil {
			fmt.Fprintf(log, "no browser could be started: %v\n", err)
		}
	}
	return serve(ctx, l, h)
}

// ensure builds the site and warns about a size over its budget.
func ensure(dir string, log io.Writer) error {
	root, err := builder.FindRoot(".")
	if err != nil {
		return err
	}
	site, err := builder.Ensure(builder.Options{Root: root, Dist: dir, Log: log})
	if err != nil {
		return err
	}
	if err := site.Check(); err != nil {
		fmt.Fprintln(log, err)
	}
	return nil
}

// loopback says whether only this machine can reach a host address.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// listen listens at addr, or at the next free port of the hundred above it.
func listen(addr string, log io.Writer) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if !errors.Is(err, syscall.EADDRINUSE) {
		return l, err
	}
	host, port, splitErr := net.SplitHostPort(addr)
	n, portErr := strconv.Atoi(port)
	if splitErr != nil || portErr != nil {
		return nil, err
	}
	for i := n + 1; i <= min(n+100, 65535); i++ {
		next := net.JoinHostPort(host, strconv.Itoa(i))
		if l, err := net.Listen("tcp", next); err == nil {
			fmt.Fprintf(log, "port %d is taken: using %d\n", n, i)
			return l, nil
		}
	}
	return nil, err
}

// serve answers requests until ctx ends, and lets those under way finish.
func serve(ctx context.Context, l net.Listener, h http.Handler) error {
	s := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 1 << 16}
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	if err := s.Shutdown(last); err != nil {
		return s.Close()
	}
	return nil
}

// withParent ends ctx with the go command that runs this program, too: go run
// does not pass a termination on, and would leave the port taken.
func withParent(ctx context.Context) context.Context {
	parent := os.Getppid()
	name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", parent))
	if err != nil || strings.TrimSpace(string(name)) != "go" {
		return ctx
	}
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		for os.Getppid() == parent {
			time.Sleep(200 * time.Millisecond)
		}
		cancel()
	}()
	return ctx
}

// openBrowser shows url in the user's browser.
func openBrowser(url string) error {
	name, arg := "xdg-open", []string{url}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, arg = "rundll32", []string{"url.dll,FileProtocolHandler", url}
	}
	return exec.Command(name, arg...).Start()
}

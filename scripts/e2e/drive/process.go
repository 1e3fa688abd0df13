package drive

import (
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// tail keeps the last megabyte written to it.
type tail struct {
	mu   sync.Mutex
	b    []byte
	lost int // bytes dropped in front
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, p...)
	if over := len(t.b) - 1<<20; over > 0 {
		t.b, t.lost = append([]byte(nil), t.b[over:]...), t.lost+over
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.b)
}

// from returns the output after the first n bytes, and its length now.
func (t *tail) from(n int) (string, int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.b[max(0, n-t.lost):]), t.lost + len(t.b)
}

// A group is a process group whose first member waits for the end of this
// program, and then ends all others: no browser outlives a test that panics or
// is killed.
type group struct {
	guard *exec.Cmd
	hold  io.Closer
	kids  []*exec.Cmd
}

func newGroup() (*group, error) {
	c := exec.Command("sh", "-c", "read -r end; kill -KILL 0")
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	hold, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	return &group{guard: c, hold: hold}, c.Start()
}

// start runs a program in the group.
func (g *group) start(out io.Writer, files []*os.File, env []string, name string, arg ...string) error {
	c := exec.Command(name, arg...)
	c.Stdout, c.Stderr, c.ExtraFiles = out, out, files
	c.WaitDelay = time.Second // a daemon may keep the pipe open
	c.Env = append(os.Environ(), env...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: g.guard.Process.Pid}
	if err := c.Start(); err != nil {
		return err
	}
	g.kids = append(g.kids, c)
	return nil
}

// kill ends all processes of the group and waits until they are gone.
func (g *group) kill() {
	if g.guard == nil {
		return
	}
	id := g.guard.Process.Pid
	_ = syscall.Kill(-id, syscall.SIGKILL)
	_ = g.hold.Close()
	for _, c := range append(g.kids, g.guard) {
		_ = c.Wait() // killed: never a success
	}
	for i := 0; i < 500 && alive(id); i++ {
		time.Sleep(10 * time.Millisecond)
	}
	g.guard = nil
}

// alive says whether a process of the group still runs. A zombie does not.
func alive(id int) bool { return len(members(id)) > 0 }

// members lists the processes of a group that run.
func members(id int) (list []int) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		b, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue
		}
		// pid (name) state parent group ...; the name may hold anything.
		f := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
		if len(f) > 2 && f[2] == strconv.Itoa(id) && f[0] != "Z" && f[0] != "X" {
			list = append(list, pid)
		}
	}
	return list
}

package cluster

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// nodes are node daemons of one processor each, all on this machine.
var nodes = []string{"n0", "n1"}

// A lab is a Slurm on this machine: its key, its controller and its nodes, all below one folder.
type lab struct {
	t   *testing.T
	dir string
}

// startLab starts one, which ends with the test. Daemons of nodes need root.
func startLab(t *testing.T) *lab {
	t.Helper()
	if os.Getuid() != 0 {
		t.Fatal("found no root, expected it: node daemons start jobs of users")
	}
	dir, err := os.MkdirTemp("", "cadem-slurm") // not of the test, whose name is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{t, dir}
	t.Cleanup(func() {
		for _, name := range []string{"n0.pid", "n1.pid", "controller.pid", "munge/pid"} {
			pid := l.kill(name, syscall.SIGTERM)
			for deadline := time.Now().Add(10 * time.Second); pid > 0 && syscall.Kill(pid, 0) == nil && time.Now().Before(deadline); {
				time.Sleep(50 * time.Millisecond) // it still writes
			}
		}
		os.RemoveAll(dir)
	})
	l.munge()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	conf := fmt.Sprintf(`ClusterName=lab
SlurmctldHost=%s(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=%[2]s/munge/socket
SlurmctldPort=17010
SlurmctldPidFile=%[2]s/controller.pid
SlurmdPidFile=%[2]s/%%n.pid
SlurmdSpoolDir=%[2]s/spool-%%n
StateSaveLocation=%[2]s/state
SlurmctldLogFile=%[2]s/controller.log
SlurmdLogFile=%[2]s/%%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SchedulerType=sched/builtin
SlurmdTimeout=20
`, host, dir)
	for i, n := range nodes {
		conf += fmt.Sprintf("NodeName=%s NodeHostname=%s NodeAddr=127.0.0.1 Port=%d CPUs=1 RealMemory=2000 State=UNKNOWN\n", n, host, 17011+i)
		l.folder("spool-"+n, 0o755)
	}
	conf += "PartitionName=lab Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n"
	l.folder("state", 0o755)
	if err := os.WriteFile(l.conf(), []byte(conf), 0o644); err != nil {
		t.Fatal(err)
	}
	l.run("slurmctld", "-f", l.conf())
	for _, n := range nodes {
		l.startNode(n)
	}
	return l
}

func (l *lab) conf() string { return filepath.Join(l.dir, "slurm.conf") }

func (l *lab) startNode(name string) { l.run("slurmd", "-f", l.conf(), "-N", name) }

// munge starts the daemon that vouches for who sends a message.
func (l *lab) munge() {
	l.folder("munge", 0o700)
	dir := filepath.Join(l.dir, "munge")
	key := make([]byte, 1024)
	rand.Read(key)
	if err := os.WriteFile(filepath.Join(dir, "key"), key, 0o400); err != nil {
		l.t.Fatal(err)
	}
	u, err := user.Lookup("munge")
	if err != nil {
		l.t.Fatal(err)
	}
	uid, _ := strconv.Atoi(u.Uid) // numbers, on this system
	gid, _ := strconv.Atoi(u.Gid)
	for _, name := range []string{dir, filepath.Join(dir, "key")} {
		if err := os.Chown(name, uid, gid); err != nil {
			l.t.Fatal(err)
		}
	}
	if err := os.Chmod(l.dir, 0o711); err != nil {
		l.t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	c := exec.Command("munged", "--force", "--key-file="+at("key"), "--socket="+at("socket"), "--pid-file="+at("pid"), "--log-file="+at("log"),
		"--seed-file="+at("seed"))
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	if text, err := c.CombinedOutput(); err != nil {
		l.t.Fatalf("munged: %v, %s", err, text)
	}
}

func (l *lab) folder(name string, mode fs.FileMode) {
	if err := os.Mkdir(filepath.Join(l.dir, name), mode); err != nil {
		l.t.Fatal(err)
	}
}

// run runs a program in the lab and returns its output.
func (l *lab) run(name string, args ...string) string {
	l.t.Helper()
	text, err := l.try(name, args...)
	if err != nil {
		l.t.Fatalf("%s %v: %v\n%s", name, args, err, text)
	}
	return text
}

func (l *lab) try(name string, args ...string) (string, error) {
	c := exec.CommandContext(l.t.Context(), name, args...)
	c.Env = append(os.Environ(), "SLURM_CONF="+l.conf())
	var log strings.Builder
	c.Stderr = &log
	text, err := c.Output()
	if err != nil {
		return string(text) + log.String(), err
	}
	return string(text), nil
}

// kill ends the process whose number a file of the lab holds, and returns the number, 0 without one.
func (l *lab) kill(name string, how syscall.Signal) int {
	text, err := os.ReadFile(filepath.Join(l.dir, name))
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || pid <= 1 || syscall.Kill(pid, how) != nil {
		return 0
	}
	return pid
}

// killNode ends a node with everything that runs on it at once, as a loss of power does, if it runs a
// job. It returns how many processes of jobs there were.
func (l *lab) killNode(name string) int {
	l.t.Helper()
	list, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		l.t.Fatal(err)
	}
	var jobs []int
	for _, file := range list {
		text, err := os.ReadFile(file)
		env := "\x00" + string(text)
		if err == nil && strings.Contains(env, "\x00SLURMD_NODENAME="+name+"\x00") && strings.Contains(env, "\x00SLURM_CONF="+l.conf()+"\x00") {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file))) // digits, by the pattern
			jobs = append(jobs, pid)
		}
	}
	if len(jobs) == 0 {
		return 0
	}
	l.kill(name+".pid", syscall.SIGKILL)
	for _, pid := range jobs {
		if parent := parentOf(pid); strings.HasPrefix(commandOf(parent), "slurmstepd") {
			syscall.Kill(parent, syscall.SIGKILL)
		}
	}
	for _, pid := range jobs {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	return len(jobs)
}

// parentOf reads the parent of a process; 0 when it has ended.
func parentOf(pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(text), "\nPPid:")
	line, _, _ := strings.Cut(after, "\n")
	n, _ := strconv.Atoi(strings.TrimSpace(line)) // a number, by the format
	return n
}

func commandOf(pid int) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid)) // "" when it has ended
	return string(text)
}

// wait waits until something holds.
func (l *lab) wait(what string, limit time.Duration, holds func() bool) {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), limit)
	defer cancel()
	for !holds() {
		select {
		case <-ctx.Done():
			queue, err := l.try("squeue")
			l.t.Fatalf("%s is not so after %v; the queue: %s, %v", what, limit, queue, err)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// idle reports whether no job is left.
func (l *lab) idle() bool {
	text, err := l.try("squeue", "-h")
	return err == nil && strings.TrimSpace(text) == ""
}

// exitCode returns the exit code of a command, 0 without an error.
func exitCode(err error) int {
	var e *exec.ExitError
	if errors.As(err, &e) {
		return e.ExitCode()
	}
	return 0
}

package cluster

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// trainings of the study: eleven values of gamma and five seeds.
const trainings = 55

// A machine is a place to run cadem without Slurm.
type machine struct {
	t       *testing.T
	program string
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	m := &machine{t, filepath.Join(t.TempDir(), "cadem")}
	if text, err := exec.Command("go", "build", "-o", m.program, "../cadem").CombinedOutput(); err != nil {
		t.Fatalf("%v, %s", err, text)
	}
	return m
}

// cadem runs the program and returns its output, and its exit code.
func (m *machine) cadem(args ...string) (string, int) {
	m.t.Helper()
	c := exec.Command(m.program, args...)
	var log strings.Builder
	c.Stderr = &log
	text, err := c.Output()
	if err != nil && exitCode(err) == 0 {
		m.t.Fatal(err)
	}
	if exitCode(err) != 0 {
		m.t.Logf("cadem %v: %s", args, &log)
	}
	return string(text), exitCode(err)
}

// order is of trainings that take a second; CADEM_CLUSTER=full takes the paper's length.
func order() []string {
	o := []string{"gamma", "-seeds", "5"}
	if os.Getenv("CADEM_CLUSTER") != "full" {
		o = append(o, "-set", "epochs=24", "-set", "nodes=60", "-set", "kmeans_runs=3")
	}
	return o
}

// script plans the study in a new folder and writes the script that runs it.
func (m *machine) script(more ...string) (dir, file string) {
	m.t.Helper()
	dir = filepath.Join(m.t.TempDir(), "plan")
	if text, code := m.cadem(append(append([]string{"study", "plan"}, order()...), "-dir", dir)...); code != 0 {
		m.t.Fatal(text)
	}
	if text, code := m.cadem("study", "run", dir, "-shard", "0/55"); code != 0 { // to be measured
		m.t.Fatal(text)
	}
	text, code := m.cadem(append([]string{"study", "sbatch", dir}, more...)...)
	if code != 0 {
		m.t.Fatal(text)
	}
	file = filepath.Join(m.t.TempDir(), "study.sh")
	if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
		m.t.Fatal(err)
	}
	return dir, file
}

// results lists the files of results of a plan.
func results(t *testing.T, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "*-*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, name := range all {
		if strings.Count(filepath.Base(name), ".") == 1 {
			list = append(list, name)
		}
	}
	return list
}

// rows returns the figures of a report in JSON, which holds times beside them.
func rows(t *testing.T, text string) (list []map[string]any) {
	t.Helper()
	o := struct {
		Rows []map[string]any
	}{}
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err, text)
	}
	return o.Rows
}

func load() string {
	text, _ := os.ReadFile("/proc/loadavg") // for people
	return strings.Join(strings.Fields(string(text))[:3], " ")
}

// An array of jobs finds what one machine does, though a node is lost in the middle and a result is torn.
func TestStudyOnSlurm(t *testing.T) {
	if os.Getenv("CADEM_CLUSTER") == "" {
		t.Skip("CADEM_CLUSTER is not set: it needs Slurm, which make setup-cluster installs")
	}
	m := newMachine(t)
	t.Logf("load %s", load())
	whole, code := m.cadem(append(append([]string{"study"}, order()...), "-json")...)
	if code != 0 {
		t.Fatal(whole)
	}
	dir, file := m.script()
	l := startLab(t)
	t.Logf("submitted: %s", l.run("sh", file))
	l.wait("six results are there", 20*time.Minute, func() bool { return len(results(t, dir)) >= 6 })
	torn := results(t, dir)[0]
	if err := os.Truncate(torn, 200); err != nil {
		t.Fatal(err)
	}
	lost := 0
	l.wait("n1 is lost while it runs a job", 5*time.Minute, func() bool {
		lost = l.killNode("n1")
		return lost > 0
	})
	t.Logf("n1 is lost with %d processes of jobs, %d of %d results are there", lost, len(results(t, dir)), trainings)
	l.wait("the controller misses n1", 5*time.Minute, func() bool {
		text, err := l.try("sinfo", "-h", "-n", "n1", "-o", "%t")
		return err == nil && strings.HasPrefix(text, "down")
	})
	l.startNode("n1")
	l.wait("the queue is empty", time.Hour, l.idle)
	if n := len(results(t, dir)); n != trainings {
		t.Errorf("%d results, expected %d, one of them torn", n, trainings)
	}
	if text, code := m.cadem("study", "merge", dir, "-json"); code != 1 || !strings.Contains(text, `"missing":["`) {
		t.Errorf("of a torn result: exit code %d", code)
	}
	l.run("sh", file) // again, for the missing parts
	l.wait("the queue is empty again", time.Hour, l.idle)
	merged, code := m.cadem("study", "merge", dir, "-json", "-out", filepath.Join(dir, "report.html"))
	if code != 0 {
		t.Fatalf("exit code %d", code)
	}
	if a, b := rows(t, merged), rows(t, whole); len(a) == 0 || !reflect.DeepEqual(a, b) {
		t.Errorf("on Slurm\n%v\non one machine\n%v", a, b)
	} else {
		t.Logf("all %d rows are those of one machine", len(a))
	}
}

// Two nodes share the work of one. The log has their progress, with the load of the machine, which others use, too.
func TestTwoNodes(t *testing.T) {
	if os.Getenv("CADEM_CLUSTER") == "" {
		t.Skip("CADEM_CLUSTER is not set: it needs Slurm, which make setup-cluster installs")
	}
	m := newMachine(t)
	l := startLab(t)
	var seconds [2]float64
	for k, where := range [2][]string{{"-w", "n0"}, nil} {
		_, file := m.script("-jobs", "11")
		began, before := time.Now(), load()
		l.run("sh", append([]string{file}, where...)...)
		l.wait("the queue is empty", time.Hour, l.idle)
		seconds[k] = time.Since(began).Seconds()
		t.Logf("%d of 2 nodes: %.1f s, load before %s, after %s", k+1, seconds[k], before, load())
	}
	t.Logf("two nodes take %.2f of one node's time", seconds[1]/seconds[0])
}

package builder

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
)

// installLine installs npm on Debian.
const installLine = "apt-get install --no-install-recommends nodejs npm"

// lockFile is the part of package-lock.json that says what is pinned.
type lockFile struct {
	Packages map[string]struct {
		Version string `json:"version"`
		Dev     bool   `json:"dev"`
	} `json:"packages"`
}

// pinned returns the folders below www of the packages that go into the page,
// with their pinned versions.
func pinned(www string) (map[string]string, error) {
	b, err := os.ReadFile(filepath.Join(www, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock lockFile
	if err := json.Unmarshal(b, &lock); err != nil {
		return nil, fmt.Errorf("package-lock.json: %w", err)
	}
	list := map[string]string{}
	for dir, p := range lock.Packages {
		if dir != "" && !p.Dev {
			list[dir] = p.Version
		}
	}
	return list, nil
}

// missing lists the pinned packages that are not installed in that version.
func missing(www string) ([]string, error) {
	want, err := pinned(www)
	if err != nil {
		return nil, err
	}
	var list []string
	for dir, version := range want {
		var have struct {
			Version string `json:"version"`
		}
		b, err := os.ReadFile(filepath.Join(www, filepath.FromSlash(dir), "package.json"))
		if err != nil || json.Unmarshal(b, &have) != nil || have.Version != version {
			list = append(list, strings.TrimPrefix(dir, "node_modules/")+" "+version)
		}
	}
	sort.Strings(list)
	return list, nil
}

// installPackages lets npm install what package-lock.json pins, if any of it is missing.
func installPackages(o Options) error {
	www := filepath.Join(o.Root, "www")
	list, err := missing(www)
	if err != nil || len(list) == 0 {
		return err
	}
	need := strings.Join(list, ", ")
	npm, err := exec.LookPath("npm")
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("the page needs %s and there is no npm to fetch it; install npm and try again: %s", need, installLine)
	} else if err != nil {
		return err
	}
	o.say("installing %s", need)
	c := exec.Command(npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	c.Dir = www
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci: %w\n%s", err, out)
	}
	return nil
}

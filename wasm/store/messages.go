package store

import "cadem.example/core/base/json"

// Arguments are the arguments of all requests.
type Arguments struct {
	Run    string          `json:"run"`
	Runs   []string        `json:"runs"`
	Record json.RawMessage `json:"record"`
	New    bool            `json:"new"`
}

// State says what a store can do. Reason says why nothing can be kept.
type State struct {
	Owner      bool     `json:"owner"`
	Persistent bool     `json:"persistent"`
	Reason     string   `json:"reason,omitempty"`
	Recovered  []string `json:"recovered"`
	Deleted    []string `json:"deleted"` // the runs that were deleted last, newest first
}

// A DamagedRun is stored, but cannot be listed with the others.
type DamagedRun struct {
	Run    string `json:"run"`
	Name   string `json:"name"` // that of its record if it has one that can be read, else Run
	Reason string `json:"reason"`
}

type listing struct {
	Runs    []json.RawMessage `json:"runs"`
	Damaged []DamagedRun      `json:"damaged"`
}

type saved struct {
	Generation int `json:"generation"`
}

// got is a stored record, with notes on what of it is of an earlier generation.
type got struct {
	Record json.RawMessage `json:"record"`
	Notes  []string        `json:"notes,omitempty"`
}

type freed struct {
	Freed int `json:"freed"`
}

type done struct{}

// Results lists the requests of the storage role with what they are answered.
func Results() map[string]any {
	return map[string]any{"open": State{}, "list": listing{}, "put": saved{}, "get": got{}, "raw": done{}, "delete": done{}, "restore": got{}, "purge": freed{}}
}

package worker

import (
	"math"
	"strings"
	"testing"
)

// The weights of every node add up to one, means of classes are of their nodes, and exports of the same weights of the model have them.
func TestAttention(t *testing.T) {
	c := start(t)
	c.call("open", `"data":{"example":"social","options":{},"data_seed":0}`)
	c.reply(c.send("train", short))
	const args = `"set":"team","options":{"eval_epochs":5},"eval_seed":1`
	var told struct {
		Embeddings []string
		Classes    []struct {
			Class string
			Nodes int
			Mean  []float64
		}
	}
	m := c.call("attention", args)
	m.read(t, &told)
	weights, nodes := floats(m.slabs["weights"]), 0
	for _, class := range told.Classes {
		sum := 0.0
		for _, v := range class.Mean {
			sum += v
		}
		if nodes += class.Nodes; math.Abs(sum-1) > 1e-9 {
			t.Errorf("%+v", class)
		}
	}
	if strings.Join(told.Embeddings, " ") != "common private_1 private_2 private_3 private_4" || nodes != 72 || len(weights) != 72*5 {
		t.Errorf("%q, %d nodes, %d weights", told.Embeddings, nodes, len(weights))
	}
	exported := func() string { return string(c.call("export", `"what":"csv"`).slabs["file"].Data) }
	if head, _, _ := strings.Cut(exported(), "\n"); !strings.Contains(head, ",attention_1,") || !strings.Contains(head, "C_4_1 (") {
		t.Errorf("exported with %s", head)
	}
	if e := c.fail("attention", `"set":"teams","options":{},"eval_seed":1`); !strings.Contains(e.Message, "one of team, ") {
		t.Errorf("%+v", e)
	}
	c.reply(c.send("train", short))
	if head, _, _ := strings.Cut(exported(), "\n"); strings.Contains(head, "attention") {
		t.Error("another training has the weights of the one before")
	}
}

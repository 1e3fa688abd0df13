package synth

import (
	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// TownOptions are the settings of the invented town.
type TownOptions struct {
	Nodes  int     `name:"nodes" symbol:"M" label:"people" min:"12" max:"1000" default:"120" group:"data" doc:"Number of people, the same in every layer."`
	Groups int     `name:"groups" min:"2" max:"10" default:"3" group:"data" doc:"Number of shared groups, and of groups that each layer has of its own."`
	Gamma  float64 `name:"gamma" symbol:"γ" min:"0" max:"1" default:"0.5" group:"data" doc:"Weight of the shared groups: at 0 every layer follows its own groups alone, at 1 all follow the shared ones."`
	PIntra float64 `name:"p_intra" symbol:"p_in" label:"links inside a group" min:"0" max:"1" default:"0.6" group:"data" doc:"Chance of a link between two people of the same group."`
	PInter float64 `name:"p_inter" symbol:"p_out" label:"links between groups" min:"0" max:"1" default:"0.02" group:"data" doc:"Chance of a link between two people of different groups."`
}

// townLayers are the kinds of links in the town, and the label sets of their own groups.
var townLayers = []string{"friends", "work", "lunch"}

// Town is the generator "town".
var Town = New("town",
	"An invented town: who is friends, works and has lunch with whom, by groups that all layers share and by groups of their own.", town)

// town draws Syn2 small enough to see every person, with names. The groups of a layer are drawn
// independently of the shared ones. Its label sets are "shared", "friends", "work" and "lunch".
func town(o *TownOptions, seed uint64) (*multiplex.Graph, error) { return drawTown("Town", o, seed) }

// SparseTownOptions are the settings of a town whose people have few links.
type SparseTownOptions struct {
	Nodes  int     `name:"nodes" symbol:"M" label:"people" min:"12" max:"1000" default:"600" group:"data" doc:"Number of people, the same in every layer."`
	Groups int     `name:"groups" min:"2" max:"10" default:"3" group:"data" doc:"Number of shared groups, and of groups that each layer has of its own."`
	Gamma  float64 `name:"gamma" symbol:"γ" min:"0" max:"1" default:"0.6" group:"data" doc:"Weight of the shared groups: at 0 every layer follows its own groups alone, at 1 all follow the shared ones."`
	PIntra float64 `name:"p_intra" symbol:"p_in" label:"links inside a group" min:"0" max:"1" default:"0.0235" group:"data" doc:"Chance of a link between two people of the same group."`
	PInter float64 `name:"p_inter" symbol:"p_out" label:"links between groups" min:"0" max:"1" default:"0.00075" group:"data" doc:"Chance of a link between two people of different groups."`
}

// SparseTown is the generator "sparsetown".
var SparseTown = New("sparsetown",
	"An invented town whose people have some 5 links in each layer: by groups that all layers share and by groups of their own.",
	func(o *SparseTownOptions, seed uint64) (*multiplex.Graph, error) {
		return drawTown("Sparse town", &TownOptions{o.Nodes, o.Groups, o.Gamma, o.PIntra, o.PInter}, seed)
	})

func drawTown(name string, o *TownOptions, seed uint64) (*multiplex.Graph, error) {
	g, err := syn2(&Syn2Options{Instance: "drawn", Nodes: o.Nodes, Layers: len(townLayers), Communities: o.Groups, Gamma: o.Gamma,
		PIntra: o.PIntra, PInter: o.PInter, Reassigned: 1}, seed)
	if err != nil {
		return nil, err
	}
	g.Name, g.Nodes = name+" (synthetic)", people(rng.New(seed, "town/names"), o.Nodes)
	classes := numbered("group", o.Groups)
	for l, name := range townLayers {
		g.Layers[l].Name, g.Labels[l+1].Name = name, name
	}
	for i := range g.Labels {
		g.Labels[i].Classes = classes
	}
	return g, nil
}

package synth

import (
	"cadem.example/core/base/rng"
	"cadem.example/core/multiplex"
)

// SocialOptions are the settings of the invented social graph.
type SocialOptions struct {
	Nodes         int     `name:"nodes" symbol:"M" label:"people" min:"10" max:"500" default:"72" group:"data" doc:"Number of people."`
	Teams         int     `name:"teams" min:"2" max:"20" default:"6" group:"data" doc:"Number of teams. They shape every layer: this is what the layers have in common."`
	Circles       int     `name:"circles" min:"2" max:"20" default:"4" group:"data" doc:"Number of circles in each layer. A layer has circles of its own, which say nothing about the other layers."`
	PTeam         float64 `name:"p_team" min:"0" max:"1" default:"0.4" group:"data" doc:"Chance of a tie that comes from being in the same team, at work; less in the other layers."`
	PCircle       float64 `name:"p_circle" min:"0" max:"1" default:"0.35" group:"data" doc:"Chance of a tie that comes from being in the same circle, among friends and online; less in the other layers."`
	PStranger     float64 `name:"p_stranger" min:"0" max:"1" default:"0.01" group:"data" doc:"Chance of a tie between any two people who take part in a layer."`
	Participation float64 `name:"participation" min:"0" max:"1" default:"0.65" group:"data" doc:"Share of the people who take part in the sparse layers, friends and online; the others have no tie there."`
}

// A venue is a layer of the social graph: how strongly teams and circles show in it,
// and whether only a part of the people take part.
type venue struct {
	name, circle string // of the layer, and of the groups private to it
	team, own    float64
	sparse       bool
}

var venues = []venue{
	{"lunch", "table", 0.7, 0.7, false},
	{"friends", "circle", 0.5, 1, true},
	{"work", "project", 1, 0.6, false},
	{"online", "channel", 0.3, 1, true},
}

// Social is the generator "social".
var Social = New("social",
	"An invented firm: who has lunch, is friends, works and chats with whom. Nobody in it is real.", social)

// social draws a firm in the manner of published workplace studies: a few dozen people
// and several relations; some of them leave many people without a tie. Two people who take part in
// a layer are tied for being in the same team, for being in the same circle or by chance. Its label
// sets are "team" and, for every layer, "lunch_table", "friends_circle", "work_project",
// "online_channel", missing for those who do not take part.
func social(o *SocialOptions, seed uint64) (*multiplex.Graph, error) {
	m := o.Nodes
	if err := fewer("teams", o.Teams, m); err != nil {
		return nil, err
	}
	if err := fewer("circles", o.Circles, m); err != nil {
		return nil, err
	}
	team := uniformLabels(rng.New(seed, "social/teams"), m, o.Teams)
	g := &multiplex.Graph{
		Name:   "Social (synthetic)",
		Nodes:  people(rng.New(seed, "social/names"), m),
		Labels: []multiplex.LabelSet{{Name: "team", Classes: numbered("team", o.Teams), Of: team}},
	}
	x := multiplex.Identity(m)
	for _, v := range venues {
		own := uniformLabels(rng.New(seed, "social/circles/"+v.name), m, o.Circles)
		presence := rng.New(seed, "social/participation/"+v.name)
		for i := range own {
			if u := presence.Float64(); v.sparse && u >= o.Participation {
				own[i] = multiplex.Missing
			}
		}
		pairs := rng.New(seed, "social/pairs/"+v.name)
		a, err := adjacency(m, func(i, j int) bool {
			// Three reasons for a tie, independent of each other, so three draws.
			byTeam, byCircle, byChance := pairs.Float64(), pairs.Float64(), pairs.Float64()
			if own[i] == multiplex.Missing || own[j] == multiplex.Missing {
				return false
			}
			return team[i] == team[j] && byTeam < float64(o.PTeam*v.team) ||
				own[i] == own[j] && byCircle < float64(o.PCircle*v.own) ||
				byChance < o.PStranger
		})
		if err != nil {
			return nil, err
		}
		g.Layers = append(g.Layers, multiplex.Layer{Name: v.name, Adjacency: a, Features: x})
		g.Labels = append(g.Labels, multiplex.LabelSet{Name: v.name + "_" + v.circle, Classes: numbered(v.circle, o.Circles), Of: own})
	}
	return g, nil
}

var (
	given = []string{"Ada", "Amir", "Ana", "Bea", "Bo", "Chidi", "Clara", "Dana", "Deniz", "Elif", "Emil", "Eva", "Farid", "Finn", "Grace", "Hana",
		"Hugo", "Ines", "Ivo", "Jan", "Jun", "Kaya", "Leo", "Lina", "Mai", "Marek", "Mila", "Nia", "Noor", "Olga", "Oskar", "Priya", "Ravi", "Rosa",
		"Sami", "Sara", "Tariq", "Uma", "Vera", "Yuki"}
	family = []string{"Abel", "Ahn", "Bauer", "Berg", "Cruz", "Costa", "Diaz", "Dunn", "Eriksen", "Faber", "Fuchs", "Gupta", "Haas", "Holm", "Ito",
		"Jansen", "Kaur", "Klein", "Kovac", "Lang", "Lund", "Mensah", "Moreau", "Nagy", "Novak", "Okoye", "Olsen", "Park", "Petit", "Quist", "Rossi",
		"Sato", "Silva", "Stone", "Tan", "Toth", "Vidal", "Wolf", "Yilmaz", "Zeman"}
)

// people returns m different invented names.
func people(s *rng.Stream, m int) []string {
	pick := make([]int, m)
	s.Sample(pick, len(given)*len(family))
	s.Shuffle(pick)
	names := make([]string, m)
	for i, p := range pick {
		names[i] = given[p/len(family)] + " " + family[p%len(family)]
	}
	return names
}

package connectome

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cadem.example/core/formats"
)

// Tables of parcellations as their authors lay them out.
const (
	schaefer       = "1\t7Networks_LH_Vis_1\t120\t18\t131\t0\n2\t7Networks_LH_Default_PFC_1\t120\t18\t132\t0\n3\t7Networks_RH_Vis_1\t120\t18\t133\t0\n"
	schaeferPlaces = "ROI Label,ROI Name,R,A,S\n1,7Networks_LH_Vis_1,-20,-90,1\n2,7Networks_LH_Default_PFC_1,-19,29,2.5\n3,7Networks_RH_Vis_1,18,-92,3\n"
	desikan        = "#$Id: a list of colours\n\n#No. Label Name:                            R   G   B   A\n\n0   Unknown            0   0   0   0\n" +
		"17  Left-Hippocampus   220 216 20  0\n\n# the cortex\n1001    ctx-lh-bankssts   25  100 40  0\n1022    ctx-lh-postcentral  220 20  20  0\n" +
		"2001    ctx-rh-bankssts   25  100 40  0\n"
	glasser = "regionName,regionLongName,regionIdLabel,LR,region,Lobe,cortex,regionID,Cortex_ID,x-cog,y-cog,z-cog,volmm\n" +
		"V1_L,Primary_Visual_Cortex_L,1_L,L,V1,Occ,Primary_Visual,1,1,101.5,42,71,6000\n" +
		"MST_L,Medial_Superior_Temporal_Area_L,2_L,L,MST,Occ,MT+_Complex,2,5,134,56,79.5,500\n" +
		"V1_R,Primary_Visual_Cortex_R,1_R,R,V1,Occ,Primary_Visual,201,1,78.5,42,71,6100\n"
	gordon = "ParcelID,Hem,Surface area (mm2),Centroid (MNI),Community\n1,L,72.6,\"-11.2  -52.4  36.5\",Default\n2,L,12,\"-30 1 2\",None\n" +
		"10,R,3.1,\"13 -3 3\",SMhand\n"
)

// A parcelled series has columns that are called as another program calls them, in another order than that of the table.
var parcelled = []struct {
	what, table, columns, order string // of the table's regions in the series
	names, networks, place      string
	said                        []string
}{
	{"Schaefer's colours", schaefer, "7Networks_RH_Vis_1 7Networks_LH_Vis_1 7Networks_LH_Default_PFC_1", "1 2 0",
		"7Networks_LH_Vis_1 7Networks_LH_Default_PFC_1 7Networks_RH_Vis_1", "Vis Default", "", []string{"those of Schaefer and others", "Centroid_RAS.csv"}},
	{"Schaefer's colours without the prefix", schaefer, "RH_Vis_1 LH_Vis_1 LH_Default_PFC_1", "1 2 0",
		"7Networks_LH_Vis_1 7Networks_LH_Default_PFC_1 7Networks_RH_Vis_1", "Vis Default", "", []string{"RH_Vis_1 is 7Networks_RH_Vis_1 there"}},
	{"Schaefer's colours by number", schaefer, "ROI_003 ROI_001 ROI_002", "1 2 0",
		"7Networks_LH_Vis_1 7Networks_LH_Default_PFC_1 7Networks_RH_Vis_1", "Vis Default", "", []string{`numbered as in the column "index" of`}},
	{"Schaefer's list for FSL", "1 0.47 0.07 0.51 7Networks_LH_Vis_1\n2 0.5 0 1 7Networks_RH_Cont_1\n", "7Networks_RH_Cont_1 7Networks_LH_Vis_1", "1 0",
		"7Networks_LH_Vis_1 7Networks_RH_Cont_1", "Vis Cont", "", nil},
	{"Schaefer's centroids", schaeferPlaces, "7Networks_RH_Vis_1 7Networks_LH_Vis_1 7Networks_LH_Default_PFC_1", "1 2 0",
		"7Networks_LH_Vis_1 7Networks_LH_Default_PFC_1 7Networks_RH_Vis_1", "Vis Default", "[-19 29 2.5]", nil},
	{"4S", "index\tlabel\themisphere\tnetwork_label\tlabel_7network\tatlas_name\n1\tLH_Vis_1\tL\tVis\t7Networks_LH_Vis_1\t4S156\n" +
		"101\tLH-Pu\tL\tn/a\tn/a\tCIT168\n2\tRH_Cont_Par_1\tR\tCont\t7Networks_RH_Cont_Par_1\t4S156\n", "RH_Cont_Par_1 LH_Vis_1 LH-Pu", "1 2 0",
		"LH_Vis_1 LH-Pu RH_Cont_Par_1", "Vis Cont", "", nil},
	{"4S by names of Schaefer",
		"index\tlabel\tnetwork_label\tlabel_7network\n1\tLH_Vis_1\tVis\t7Networks_LH_Vis_1\n2\tRH_Cont_Par_1\tCont\t7Networks_RH_Cont_Par_1\n",
		"7Networks_RH_Cont_Par_1 7Networks_LH_Vis_1", "1 0", "LH_Vis_1 RH_Cont_Par_1", "Vis Cont", "",
		[]string{`named as in the column "label_7network" of`}},
	{"Gordon by number", gordon, "parcel-10 parcel-1 parcel-2", "1 2 0", "1 2 10", "Default SMhand", "[-30 1 2]",
		[]string{`numbered as in the column "ParcelID" of`}},
	{"Glasser", glasser, "R_V1_ROI L_V1_ROI L_MST_ROI", "1 2 0", "V1_L MST_L V1_R", "Primary_Visual MT+_Complex", "[-44 -70 7.5]",
		[]string{"R_V1_ROI is V1_R there", "voxels of the MNI grid of 1 mm", `its column "cortex" groups the regions`}},
	{"Glasser by long names", glasser, "Primary_Visual_Cortex_R Primary_Visual_Cortex_L Medial_Superior_Temporal_Area_L", "1 2 0", "V1_L MST_L V1_R",
		"Primary_Visual MT+_Complex", "[-44 -70 7.5]", []string{`as in the column "regionLongName"`}},
	{"AAL", "1 Precentral_L 2001\n2 Precentral_R 2002\n3 Frontal_Sup_L 2101\n", "Frontal_Sup_L Precentral_L Precentral_R", "1 2 0",
		"Precentral_L Precentral_R Frontal_Sup_L", "", "", []string{"those of the AAL"}},
	{"AAL of 2002 by codes", "FAG\tPrecentral_L\t2001\nFAD\tPrecentral_R\t2002\nF1G\tFrontal_Sup_L\t2101\n", "aal2101 aal2001 aal2002", "1 2 0",
		"Precentral_L Precentral_R Frontal_Sup_L", "", "", []string{`numbered as in the column "index"`}},
	{"Destrieux", "index,name\n0,Background\n1,L G_and_S_frontomargin\n2,L G_and_S_occipital_inf\n76,R G_and_S_frontomargin\n",
		"ctx_rh_G_and_S_frontomargin ctx_lh_G_and_S_frontomargin", "1 0", "L G_and_S_frontomargin|R G_and_S_frontomargin", "", "",
		[]string{"those of Destrieux and others"}},
	{"Destrieux of FreeSurfer", "11101 ctx_lh_G_and_S_frontomargin 23 220 60 0\n12101 ctx_rh_G_and_S_frontomargin 23 220 60 0\n",
		"label12101 label11101", "1 0", "ctx_lh_G_and_S_frontomargin ctx_rh_G_and_S_frontomargin", "", "", nil},
	{"Desikan and Killiany", desikan, "R_bankssts L_bankssts L_postcentral", "1 2 0", "ctx-lh-bankssts ctx-lh-postcentral ctx-rh-bankssts", "", "",
		[]string{"R_bankssts is ctx-rh-bankssts there", "those of Desikan, Killiany and others"}},
}

// Each parcellation's table is read, whatever the columns of a series are called.
func TestTablesOfParcellations(t *testing.T) {
	for _, c := range parcelled {
		columns := strings.Fields(c.columns)
		s := noise(len(columns), 40, 4)
		text := written(turned(s.Values, len(columns), 40), 40, len(columns), nil, columns)
		in, err := Open([]formats.File{file("ts.csv", text), file("regions.txt", c.table)}, &Hints{Rows: "frames"})
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		a, names := in.Atlas, strings.Fields(c.names)
		if strings.Contains(c.names, "|") {
			names = strings.Split(c.names, "|")
		}
		if !slices.Equal(a.Names, names) || !slices.Equal(in.Series.Regions, names) || strings.Join(a.Networks, " ") != c.networks {
			t.Errorf("%s: %q, %q in %q", c.what, a.Names, in.Series.Regions, a.Networks)
			continue
		}
		for k, field := range strings.Fields(c.order) {
			column := int(field[0] - '0')
			if got := in.Series.Row(k); !slices.Equal(got, s.Row(column)) {
				t.Errorf("%s: %s is not column %d", c.what, names[k], column)
			}
		}
		if got := ""; a.Centroids != nil {
			if got = fmt.Sprint(a.Centroids[1]); got != c.place {
				t.Errorf("%s: %s lies at %s", c.what, names[1], got)
			}
		} else if c.place != "" {
			t.Errorf("%s: no places", c.what)
		}
		for _, said := range c.said {
			if !strings.Contains(strings.Join(in.Regional, "\n"), said) {
				t.Errorf("%s: no %q in %q", c.what, said, in.Regional)
			}
		}
		// So it is when all of them are dropped at once.
		if both, err := OpenIfBrain([]formats.File{file("regions.txt", c.table), file("ts.csv", text)}, &Hints{Rows: "frames"}); len(columns) > 2 &&
			(err != nil || both == nil || !slices.Equal(both.Series.Values, in.Series.Values)) {
			t.Errorf("%s, dropped: %v, %v", c.what, both, err)
		}
	}
}

// Two tables of the same regions complete each other, and what lists no regions is none.
func TestSeveralTablesOfRegions(t *testing.T) {
	s := noise(3, 40, 4)
	series := file("ts.csv", written(turned(s.Values, 3, 40), 40, 3, nil, []string{"RH_Vis_1", "LH_Vis_1", "LH_Default_PFC_1"}))
	fourS := file("dseg.tsv", "index\tlabel\tnetwork_label\n2\tLH_Default_PFC_1\tDMN\n1\tLH_Vis_1\tVision\n3\tRH_Vis_1\tVision\n")
	lut := file("lut.txt", schaefer)
	for _, files := range [][]formats.File{{series, fourS, file("c.csv", schaeferPlaces), lut}, {lut, series, fourS, file("c.csv", schaeferPlaces)}} {
		in, err := Open(files, nil)
		if err != nil || !slices.Equal(in.Atlas.Networks, []string{"DMN", "Vision"}) || in.Atlas.Centroids[0] != [3]float64{-19, 29, 2.5} ||
			in.Atlas.Names[0] != "LH_Default_PFC_1" || !slices.Equal(in.Series.Row(0), s.Row(2)) {
			t.Errorf("%+v, %v", in, err)
		}
	}
	other := file("d.csv", strings.ReplaceAll(schaeferPlaces, "PFC", "XYZ"))
	for _, files := range [][]formats.File{{series, file("c.csv", schaeferPlaces), other}, {series, other, file("c.csv", schaeferPlaces)}} {
		in, err := Open(files, nil)
		if err != nil || in.Atlas.File != "c.csv" || !slices.Contains(in.Regional,
			"d.csv says nothing of the regions that c.csv does not, or is about others: it was left out.") {
			t.Errorf("%+v, %v", in, err)
		}
	}

	if table, err := formats.ReadTable(file("scores.csv", "name,r,a\nLH_x,1,2\nother,2,3\n")); err != nil || isAtlas(table) {
		t.Errorf("a table of scores is one of regions, %v", err)
	}
	for _, text := range []string{"1 Ana 3\n2 Bo 4\n", "1 Ana 300 1 1 1\n2 Bo 4 1 1 1\n", "Ana 1\nBo 2\n", "id,class\n1,a\n2,a\n"} {
		if p, err := parseText(file("people.txt", text)); err == nil && p.kind == partRegions {
			t.Errorf("%q lists regions", text)
		}
	}
}

// Regions without names are joined to a table by the numbers of a header where it has them, and by order with a word where it has not.
func TestRegionsWithoutNames(t *testing.T) {
	s := noise(25, 40, 4)
	header := make([]string, 25)
	table := "index,name,network\n"
	turnedTable := "index,name,network\n"
	for i := range header {
		header[i] = fmt.Sprint(i + 1)
		table += fmt.Sprintf("%d,r%c,N\n", i+1, 'a'+i)
		turnedTable += fmt.Sprintf("%d,r%c,N\n", 25-i, 'a'+24-i)
	}
	text := written(turned(s.Values, 25, 40), 40, 25, nil, header)
	in, err := Open([]formats.File{file("ts.csv", text), file("regions.csv", turnedTable)}, nil)
	if err != nil || in.Series.Regions[0] != "ry" || !slices.Equal(in.Series.Row(0), s.Row(24)) ||
		!strings.Contains(strings.Join(in.Regional, ""), `Regions are named as in the column "index" of regions.csv.`) {
		t.Errorf("%+v, %v", in, err)
	}
	for i := range header { // codes, as those of the AAL
		header[i] = fmt.Sprint(2001 + 10*i)
		turnedTable = strings.Replace(turnedTable, fmt.Sprintf("\n%d,r", i+1), fmt.Sprintf("\n%d,r", 2001+10*i), 1)
	}
	in, err = Open([]formats.File{file("ts.csv", written(turned(s.Values, 25, 40), 40, 25, nil, header)), file("regions.csv", turnedTable)}, nil)
	if err != nil || in.Series.Regions[0] != "ry" || !slices.Equal(in.Series.Row(0), s.Row(24)) {
		t.Errorf("%+v, %v", in, err)
	}
	bare := text[strings.Index(text, "\n")+1:]
	in, err = Open([]formats.File{file("ts.csv", bare), file("regions.csv", table)}, nil)
	if err != nil || in.Series.Regions[1] != "rb" || !strings.Contains(strings.Join(in.Regional, ""), "were taken in the order of the rows of regions.csv") {
		t.Errorf("%+v, %v", in, err)
	}
	if _, err = Open([]formats.File{file("ts.csv", bare), file("regions.csv", turnedTable)}, nil); err == nil ||
		!strings.Contains(err.Error(), `ts.csv: regions: found no names, beside regions.csv, whose rows are not in the order of its column "index"`) {
		t.Error(err)
	}
}

// A region without data is left out although the table calls it otherwise, in one recording and in all of them.
func TestWithoutDataByAnotherName(t *testing.T) {
	s, names := noise(4, 40, 4), []string{"L_V1", "L_MST", "R_V1", "R_MST"}
	for i := range s.Row(1) {
		s.Row(1)[i] = 0
	}
	table := file("regions.csv", "name,x,y,z\nV1_L,-1,2,3\nMST_L,-2,2,3\nV1_R,1,2,3\nMST_R,2,2,3\n")
	in, err := Open([]formats.File{file("ts.csv", written(turned(s.Values, 4, 40), 40, 4, nil, names)), table}, nil)
	if err != nil || !slices.Equal(in.Series.Regions, []string{"V1_L", "V1_R", "MST_R"}) || len(in.Atlas.Centroids) != 3 {
		t.Fatalf("%+v, %v", in, err)
	}
	in.LeaveOut([]string{"R_MST"})
	if !slices.Equal(in.Series.Regions, []string{"V1_L", "V1_R"}) || len(in.Atlas.Names) != 2 {
		t.Errorf("%q, %q", in.Series.Regions, in.Atlas.Names)
	}
}

// Networks that names tell need no table.
func TestNetworksOfNames(t *testing.T) {
	s, names := noise(3, 40, 4), []string{"7Networks_LH_Vis_1", "7Networks_RH_Cont_1", "7Networks_LH_Vis_2"}
	in, err := Open([]formats.File{file("ts.csv", written(turned(s.Values, 3, 40), 40, 3, nil, names))}, nil)
	if err != nil || in.Atlas == nil || !slices.Equal(in.Atlas.Network, []int{0, 1, 0}) || in.Atlas.Centroids != nil ||
		in.Uses[0].As != "series of 3 regions x 40 frames" {
		t.Errorf("%+v, %v", in, err)
	}
	const said = "2 networks were read in the names of the regions, such as Vis in 7Networks_LH_Vis_1."
	if got := strings.Join(in.Regional, "\n"); !strings.Contains(got, said) {
		t.Error(got)
	}
}

// A surface beside a series stays out of the way.
func TestSurfaceBesideSeries(t *testing.T) {
	s, names := short(24, 60), namesOf(24)
	files := []formats.File{file("lh.surf.gii", `<?xml version="1.0"?><GIFTI Version="1.0"/>`), file("ts.csv", lines(s, names, nothing, nothing))}
	in, err := OpenIfBrain(files, nil)
	if err != nil || in == nil || in.M() != 24 || in.Uses[0].As != "surface, for the view of the brain" {
		t.Errorf("%+v, %v", in, err)
	}
}

package connectome

import (
	"slices"

	"cadem.example/core/base/property"
)

// Options are the settings of [Compute]. Defaults are those of the paper where it prints
// one.
type Options struct {
	Detrend        string  `name:"detrend" choices:"on|off" default:"on" group:"signal" paper:"on" doc:"Take the least-squares line out of every region's series."`
	Filter         string  `name:"filter" choices:"butterworth|fft|none" default:"butterworth" group:"signal" paper:"not printed" doc:"Band-pass: a Butterworth filter run forwards and backwards, so that it shifts nothing, or exactly the frequencies of the band, or none."`
	Again          string  `name:"filter_again" choices:"on|off" default:"off" group:"signal" paper:"not printed" doc:"Whether series pass the band-pass whose files say that they were filtered before. It is about folders of scans."`
	Low            float64 `name:"low" unit:"Hz" min:"0.0001" max:"10" default:"0.008" group:"signal" paper:"0.008" doc:"Lowest frequency that the band-pass keeps."`
	High           float64 `name:"high" unit:"Hz" min:"0.0002" max:"20" default:"0.08" group:"signal" paper:"0.08" doc:"Highest frequency that the band-pass keeps."`
	Order          int     `name:"order" min:"1" max:"8" default:"5" group:"signal" paper:"not printed" doc:"Order of the Butterworth filter, before it is run twice."`
	Confounds      string  `name:"confounds" choices:"auto|all|off|simple|scrubbing|compcor|ica_aroma" default:"auto" group:"signal" paper:"on" doc:"Which columns of a confound table to regress out: of fMRIPrep's the motion, white matter and fluid signals, of a plain table all; or all columns; or none; or those that nilearn's load_confounds takes by a strategy of that name. Scrubbing also leaves out frames with a displacement beyond 0.5 mm or a standardised DVARS beyond 1.5."`
	ConfoundFilter string  `name:"confound_filter" choices:"auto|on|off" default:"auto" group:"signal" paper:"off" doc:"Whether confounds pass the detrending and the band-pass of the data before they are regressed out. Without it the regression brings frequencies back that the band-pass took. Auto is on for folders of BIDS derivatives, and off, the paper's order, for all that was opened before there was a choice."`
	FD             float64 `name:"fd" label:"most displacement" unit:"mm" min:"0" max:"100" default:"0" group:"signal" paper:"0" doc:"Frames with a framewise displacement beyond it are left out; 0 leaves none out."`
	DVARS          float64 `name:"dvars" label:"most DVARS" min:"0" max:"1000" default:"0" group:"signal" paper:"0" doc:"Frames with a standardised DVARS beyond it are left out; 0 leaves none out."`
	Outliers       string  `name:"outliers" choices:"on|off" default:"on" group:"signal" paper:"off" doc:"Leave out the frames that a table of outliers beside a series marks."`
	Least          int     `name:"frames_left" label:"least frames left" unit:"frames" min:"10" max:"100000" default:"50" group:"signal" paper:"10" doc:"Frames that must be left of a recording of which some are left out; with fewer it is refused."`
	Crop           int     `name:"crop" unit:"frames" min:"0" max:"1000000" default:"0" group:"signal" paper:"0" doc:"Use only so many frames from the start, 0 for all. Runs of unequal length differ in their moments, which tells the condition by itself: crop them alike."`
	Moments        string  `name:"moments" choices:"biased|unbiased" default:"biased" group:"signal" paper:"not printed" doc:"Skewness and kurtosis as ratios of central moments, or corrected for the number of frames (G1, G2)."`
	Threshold      string  `name:"threshold" choices:"strongest|absolute|node" default:"strongest" group:"layers" paper:"not printed" doc:"Which pairs become edges: the strongest share of all pairs in each layer, those beyond a correlation, or of every node its strongest share."`
	Keep           float64 `name:"keep" unit:"%" min:"0.01" max:"100" default:"10" group:"layers" paper:"not printed" doc:"Share of all pairs (or of a node's possible neighbours) that a layer keeps. A layer with fewer pairs of its sign keeps those it has."`
	AbsoluteR      float64 `name:"absolute_r" symbol:"|r|" min:"0" max:"1" default:"0.2" group:"layers" paper:"not printed" doc:"Correlation that a pair has to exceed, for the absolute threshold."`
	Signs          string  `name:"signs" choices:"auto|both|co|anti" default:"auto" group:"layers" paper:"both" doc:"Which signs of connectivity make layers: co-activation, anti-activation, or both. Auto is both, and co-activation alone in each of several windows."`
	Windows        string  `name:"windowed" choices:"*" default:"" group:"layers" paper:"none" doc:"Layers of windows instead of the whole series: the length of a window and the step to the next, in frames as 100:50, or in seconds as 60s:30s. Frames that are left out do not count."`
	Isolates       string  `name:"isolates" choices:"link|keep" default:"link" group:"layers" paper:"link" doc:"Link a node without an edge to its strongest neighbour in the layer, or leave it."`
}

// Hints settle questions that the files of a series may leave open; nil is none.
type Hints struct {
	TR   float64 `name:"tr" label:"time between frames" unit:"s" min:"0" max:"100" default:"0" group:"files" paper:"0.72" doc:"From one frame to the next, where the file does not say it; 0 for what the file says. A band-pass needs it."`
	Rows string  `name:"rows" choices:"auto|regions|frames" default:"auto" group:"files" doc:"What the rows of a matrix of signals are. Auto goes by names, by the number of regions, or by the signals: neighbouring frames resemble each other."`
	// Directions is about connectivity, not about a series.
	Directions string `name:"directions" choices:"alike|mean" default:"alike" group:"files" doc:"What a matrix of functional connectivity has to have in its two directions: the same values, or any, of which the mean is taken."`
	Variable   string `name:"-"` // which one of a file of several arrays; "": the only one that fits
	// Without names regions that a file may lack although a table has them: they are left out of
	// all scans.
	Without []string `name:"-"`
	OfBrain bool     `name:"-"` // the settings name a brain, even if the files do not
}

// Settings are all that may be said of the files of one subject.
type Settings struct {
	Files Hints
	Steps Options
}

// DefaultSettings returns the settings when nothing is said.
func DefaultSettings() *Settings {
	s := &Settings{}
	property.Defaults(&s.Files)
	property.Defaults(&s.Steps)
	return s
}

// SettingsTable describes the settings in the order in which they take effect.
func SettingsTable() []property.Property {
	return slices.Concat(property.Table(&Hints{}), property.Table(&Options{}))
}

// HasSetting reports whether there is a setting of that name.
func HasSetting(name string) bool {
	return property.Has(&Hints{}, name) || property.Has(&Options{}, name)
}

// Set sets one by its name. The error is a [*diag.Error].
func (s *Settings) Set(name, value string) error {
	return property.SetFirst(name, value, &s.Files, &s.Steps)
}

// LeastFrames is the length of the shortest series that is worked on.
const LeastFrames = 10

// Raw sets the options of the signal that leave a series unchanged.
func (o *Options) Raw() {
	o.Detrend, o.Filter, o.Confounds, o.Crop, o.FD, o.DVARS, o.Outliers = "off", "none", "off", 0, 0, 0, "off"
}

// OfSeries reports whether an option is about how a series is read and cleaned, so it says
// nothing about functional connectivity that is given.
func OfSeries(name string) bool {
	return name != "directions" && slices.ContainsFunc(SettingsTable(), func(p property.Property) bool {
		return p.Name == name && (p.Group == "signal" || p.Group == "files")
	})
}

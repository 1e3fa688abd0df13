package chart

import (
	"slices"
	"strings"
	"unicode/utf8"

	"cadem.example/core/base/figure"
	"cadem.example/core/base/kernel"
)

// Sizes in the units of the picture.
const (
	width, height = 480.0, 320.0
	mapHeight     = 390.0
	left, right   = 52.0, 14.0
	top, bottom   = 30.0, 44.0
	tilt          = 40.0 // more below for names that are tilted
	legendRow     = 17.0
	letter        = 6.7 // width of one, on average
)

// A pen writes the picture.
type pen struct {
	strings.Builder
	x0, x1, y0, y1 float64 // the plot's corners in the picture, y0 below
	lx, hx, ly, hy float64 // the values there, or the logarithms
	logarithmic    bool
}

// Products are converted before they are added to: see core/core_test.go.
func (p *pen) px(v float64) float64 {
	if p.logarithmic {
		v = kernel.Log(1 + v)
	}
	return p.x0 + float64((p.x1-p.x0)*((v-p.lx)/(p.hx-p.lx)))
}
func (p *pen) py(v float64) float64 { return p.y0 + float64((p.y1-p.y0)*((v-p.ly)/(p.hy-p.ly))) }
func (p *pen) x(v float64) string   { return short(p.px(v), 1) }
func (p *pen) y(v float64) string   { return short(p.py(v), 1) }

// rows returns the height of that number of rows of the legend.
func rows(n int) float64 { return float64(legendRow * float64(n)) }

// extent returns the width of some text.
func extent(s string) float64 { return float64(letter * float64(utf8.RuneCountInString(s))) }

// tag writes an element without content; attributes are name, value, name, value, ...
func (p *pen) tag(name string, attributes ...string) {
	p.open(name, attributes...)
	p.WriteString("</" + name + ">")
}

func (p *pen) open(name string, attributes ...string) {
	p.WriteString("<" + name)
	for i := 0; i < len(attributes); i += 2 {
		p.WriteString(" " + attributes[i] + `="` + Escape(attributes[i+1]) + `"`)
	}
	p.WriteString(">")
}

func (p *pen) rect(x, y, width, height float64, attributes ...string) {
	size := []string{"x", short(x, 1), "y", short(y, 1), "width", short(width, 1), "height", short(height, 1)}
	p.tag("rect", append(size, attributes...)...)
}

func (p *pen) text(s string, x, y float64, attributes ...string) {
	p.open("text", append([]string{"x", short(x, 1), "y", short(y, 1)}, attributes...)...)
	p.WriteString(Escape(s) + "</text>")
}

// SVG returns the picture as one element of SVG, dark on white.
func (c *Chart) SVG() string { return c.picture("") }

// Adaptive returns the picture with colours that follow the reader's theme: on a screen, not for
// print.
func (c *Chart) Adaptive() string { return c.picture("<style>" + dark() + "</style>") }

// dark gives the colours of [Chart.picture] and of the palette others on dark ground.
func dark() string {
	s := "@media(prefers-color-scheme:dark){"
	for _, c := range [][2]string{{"#ffffff", "#1b1f24"}, {"#222222", "#e6e9ec"}, {"#555555", "#a5aeb8"}, {"#999999", "#7d8793"}, {"#dddddd", "#333a42"},
		{"#bbbbbb", "#5a636d"},
		{"#0072b2", "#3b97d9"}, {"#d55e00", "#e8702a"}, {"#009e73", "#1bb88b"}, {"#cc79a7", "#d98fb8"}, {"#56b4e9", "#86cdf5"}, {"#b5a400", "#f0e442"},
		{"#33383d", "#c9ced4"}, {"#000000", "#c9ced4"}} {
		s += `[fill="` + c[0] + `"]{fill:` + c[1] + `}[stroke="` + c[0] + `"]{stroke:` + c[1] + "}"
	}
	return s + "}"
}

func (c *Chart) picture(style string) string {
	if c.Cells != nil {
		return c.heat(style)
	}
	if c.Sets != nil {
		return c.sets(style)
	}
	legend := c.legendRows()
	h, below := height, bottom
	if c.Map {
		h, below = min(mapHeight, c.flat()), 10
	}
	h += rows(len(legend))
	if c.tilted() {
		h, below = h+tilt, below+tilt
	}
	p := &pen{x0: left, x1: width - right, y0: h - below, y1: top + rows(len(legend))}
	c.begin(p, h, style)
	c.legend(p, legend)
	c.scale(p)
	c.axes(p, below)
	for pass := range 2 { // bands are drawn first, below everything else
		for i := range c.Series {
			if s := &c.Series[i]; pass == 0 {
				p.band(s, c.colour(i))
				p.dots(s)
				p.links(s, c.colour(i))
			} else {
				p.series(c, i)
			}
		}
	}
	for _, l := range c.Labels {
		p.text(l.Text, p.px(l.X), p.py(l.Y)+4, "text-anchor", "middle", "fill", "#555555")
	}
	p.WriteString("</svg>")
	return p.String()
}

// begin begins a picture of that height, with its title on white ground.
func (c *Chart) begin(p *pen, height float64, style string) {
	w, h := short(width, 0), short(height, 0)
	p.open("svg", "xmlns", "http://www.w3.org/2000/svg", "viewBox", "0 0 "+w+" "+h, "width", w, "height", h,
		"role", "img", "font-family", "system-ui, sans-serif", "font-size", "12", "fill", "#222222")
	p.WriteString(style + "<title>" + Escape(c.Title) + "</title><desc>" + Escape(c.Text) + "</desc>")
	p.tag("rect", "width", w, "height", h, "fill", "#ffffff")
	p.text(c.Title, 10, 18, "font-weight", "bold")
}

// flat returns the height of a map that fills the plot.
func (c *Chart) flat() float64 {
	lx, hx := c.span(func(s *Series) [][]float64 { return [][]float64{s.X} })
	ly, hy := c.span(func(s *Series) [][]float64 { return [][]float64{s.Y} })
	if c.Labels == nil || !(hx > lx) {
		return mapHeight
	}
	const letters = 24.0 // of the labels below
	return top + 10 + letters + float64((hy-ly)/(hx-lx)*(width-left-right))
}

// tilted reports whether the names of the categories are too long to stand side by side.
func (c *Chart) tilted() bool {
	for _, name := range c.Categories {
		if extent(name)+6 > (width-left-right)/float64(len(c.Categories)) {
			return true
		}
	}
	return false
}

// look returns the colour of a series and which shape its points have.
func (c *Chart) look(i int) (colour string, shape int) {
	if m := c.Series[i].Mark - 1; m >= 0 {
		return marked[m%len(marked)], (m + m/len(marked)) % len(shapes)
	}
	return palette[i%len(palette)], i % len(shapes)
}

func (c *Chart) colour(i int) string {
	colour, _ := c.look(i)
	return colour
}

// legendRows deals the names of the series to rows that fit; a lone name needs none.
func (c *Chart) legendRows() [][]int {
	if len(c.Series) < 2 {
		return nil
	}
	list := [][]int{nil}
	used := 0.0
	for i := range c.Series {
		need := 34 + extent(c.Series[i].Name)
		if used > 0 && used+need > width-20 {
			list, used = append(list, nil), 0
		}
		list[len(list)-1] = append(list[len(list)-1], i)
		used += need
	}
	return list
}

func (c *Chart) legend(p *pen, list [][]int) {
	for k, row := range list {
		x, y := 12.0, 18+rows(k+1)
		for _, i := range row {
			s := &c.Series[i]
			switch s.Kind {
			case Line, Dashed:
				p.line(s, c.colour(i), short(x, 1)+","+short(y-4, 1)+" "+short(x+16, 1)+","+short(y-4, 1))
			case Bars:
				p.rect(x+3, y-9, 10, 10, "fill", c.colour(i))
			}
			switch s.Kind {
			case Dashed, Bars:
			case Links:
				p.tag("path", "d", "M"+short(x, 1)+" "+short(y-4, 1)+"h16", "stroke", c.colour(i), "stroke-width", short(s.Width, 1))
			case Dots:
				p.rect(x+7, y-5, 2, 2, "fill", "#bbbbbb")
			default:
				p.marks(c, i, short(x+8, 1), short(y-4, 1))
			}
			p.text(s.Name, x+21, y)
			x += 34 + extent(s.Name)
		}
	}
}

// scale finds what the axes span.
func (c *Chart) scale(p *pen) {
	p.lx, p.hx = c.span(func(s *Series) [][]float64 { return [][]float64{s.X} })
	if p.logarithmic = c.Logarithmic; p.logarithmic {
		p.lx, p.hx = kernel.Log(1+p.lx), kernel.Log(1+p.hx)
	}
	p.ly, p.hy = c.span(func(s *Series) [][]float64 { return [][]float64{s.Y, s.Low, s.High} })
	if c.YRange != nil {
		p.ly, p.hy = min(p.ly, c.YRange[0]), max(p.hy, c.YRange[1])
	}
	if c.Categories != nil {
		p.lx, p.hx = -0.5, float64(len(c.Categories))-0.5
	}
	widen := func(lo, hi *float64, share float64) {
		if !(*hi > *lo) {
			*lo, *hi = *lo-0.5, *hi+0.5
		}
		by := float64((*hi - *lo) * share)
		*lo, *hi = *lo-by, *hi+by
	}
	if !c.Map {
		if c.Categories == nil {
			widen(&p.lx, &p.hx, 0.02)
		}
		widen(&p.ly, &p.hy, 0.02)
		return
	}
	widen(&p.lx, &p.hx, 0.04)
	widen(&p.ly, &p.hy, 0.04)
	// One unit is as long on both axes.
	if per := (p.hx - p.lx) / (p.x1 - p.x0); float64(per*(p.y0-p.y1)) > p.hy-p.ly {
		by := float64((float64(per*(p.y0-p.y1)) - (p.hy - p.ly)) / 2)
		p.ly, p.hy = p.ly-by, p.hy+by
	} else {
		by := float64((float64((p.hy-p.ly)/(p.y0-p.y1)*(p.x1-p.x0)) - (p.hx - p.lx)) / 2)
		p.lx, p.hx = p.lx-by, p.hx+by
	}
}

func (c *Chart) axes(p *pen, below float64) {
	frame := func() { p.rect(p.x0, p.y1, p.x1-p.x0, p.y0-p.y1, "fill", "none", "stroke", "#999999") }
	if c.Map {
		frame()
		return
	}
	at, digits := ticks(p.ly, p.hy, 5)
	for _, v := range at {
		p.tag("line", "x1", short(p.x0, 1), "x2", short(p.x1, 1), "y1", p.y(v), "y2", p.y(v), "stroke", "#dddddd")
		p.text(figure.AtMost(v, digits), p.x0-6, p.py(v)+4, "text-anchor", "end")
	}
	place := func(v float64, label string) {
		p.text(label, p.px(v), p.y0+16, "text-anchor", "middle")
	}
	switch {
	case c.tilted():
		for i, name := range c.Categories {
			x, y := p.px(float64(i))+4, p.y0+12
			p.text(name, x, y, "text-anchor", "end", "transform", "rotate(-35 "+short(x, 1)+" "+short(y, 1)+")")
		}
	case c.Categories != nil:
		for i, name := range c.Categories {
			place(float64(i), name)
		}
	case c.Logarithmic:
		place(0, "0")
		for v := 1.0; kernel.Log(1+v) <= p.hx; v *= 10 {
			place(v, figure.AtMost(v, 0))
		}
	default:
		at, digits := ticks(p.lx, p.hx, 6)
		for _, v := range at {
			place(v, figure.AtMost(v, digits))
		}
	}
	frame()
	p.text(c.XLabel, (p.x0+p.x1)/2, p.y0+below-10, "text-anchor", "middle")
	middle := short((p.y0+p.y1)/2, 1)
	p.text(c.YLabel, 14, (p.y0+p.y1)/2, "text-anchor", "middle", "transform", "rotate(-90 14 "+middle+")")
}

func (p *pen) band(s *Series, colour string) {
	if s.Kind == Bars || len(s.Low) == 0 {
		return
	}
	back := p.points(s.X, s.Low)
	slices.Reverse(back)
	points := append(p.points(s.X, s.High), back...)
	p.tag("polygon", "points", strings.Join(points, " "), "fill", colour, "fill-opacity", "0.18")
}

// points writes places of the plot.
func (p *pen) points(x, y []float64) (points []string) {
	for i := range x {
		points = append(points, p.x(x[i])+","+p.y(y[i]))
	}
	return points
}

// dots draws small points, below the others.
func (p *pen) dots(s *Series) {
	if s.Kind != Dots {
		return
	}
	var d strings.Builder
	for k := range s.X {
		d.WriteString("M" + p.x(s.X[k]) + " " + p.y(s.Y[k]) + "m-1 -1h2v2h-2z")
	}
	p.tag("path", "d", d.String(), "fill", "#bbbbbb")
}

// links draws lines between every two places.
func (p *pen) links(s *Series, colour string) {
	if s.Kind != Links {
		return
	}
	var d strings.Builder
	for k := 0; k+1 < len(s.X); k += 2 {
		d.WriteString("M" + p.x(s.X[k]) + " " + p.y(s.Y[k]) + "L" + p.x(s.X[k+1]) + " " + p.y(s.Y[k+1]))
	}
	p.tag("path", "d", d.String(), "fill", "none", "stroke", colour, "stroke-width", short(s.Width, 1))
}

func (p *pen) line(s *Series, colour, points string) {
	a := []string{"points", points, "fill", "none", "stroke", colour, "stroke-width", "2"}
	if s.Kind == Dashed {
		a = append(a, "stroke-dasharray", "5 4")
	}
	p.tag("polyline", a...)
}

func (p *pen) series(c *Chart, i int) {
	s := &c.Series[i]
	switch s.Kind {
	case Bars:
		p.bars(c, i)
		return
	case Dots, Links:
		return
	}
	if s.Kind == Line || s.Kind == Dashed {
		p.line(s, c.colour(i), strings.Join(p.points(s.X, s.Y), " "))
	}
	if s.Kind != Dashed {
		var at []string
		for k := range s.X {
			at = append(at, p.x(s.X[k]), p.y(s.Y[k]))
		}
		p.marks(c, i, at...)
	}
}

// shapes of points, distinct without colours, as paths from their centre, in the order of the
// page's palette.
var shapes = []string{"m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0", "m-3 -3h6v6h-6z", "m0 -4l4 7h-8z", "m0 -4l4 4l-4 4l-4 -4z",
	"m-1 -4h2v3h3v2h-3v3h-2v-3h-3v-2h3z", "m0 4l4 -7h-8z", "m-4 -2l4 1l4 -1v3l-4 1l-4 -1z"}

// marks draws the points of a series in one path: x, y, x, y, ...
func (p *pen) marks(c *Chart, i int, at ...string) {
	colour, k := c.look(i)
	shape, paint := shapes[k], []string{"fill", colour}
	switch c.Series[i].Kind {
	case Rings:
		shape, paint = "m-7 0a7 7 0 1 0 14 0a7 7 0 1 0-14 0", []string{"fill", "none", "stroke", colour, "stroke-width", "2"}
	case Circles:
		shape, paint = shapes[0], []string{"fill", "none", "stroke", "#999999", "stroke-width", "1.5"}
	}
	var d strings.Builder
	for k := 0; k < len(at); k += 2 {
		d.WriteString("M" + at[k] + " " + at[k+1] + shape)
	}
	p.tag("path", append([]string{"d", d.String()}, paint...)...)
}

func (p *pen) bars(c *Chart, i int) {
	place, of := 0, 0
	for k := range c.Series {
		if c.Series[k].Kind == Bars {
			if k < i {
				place++
			}
			of++
		}
	}
	s, w := &c.Series[i], 0.8/float64(of)
	for k := range s.X {
		lo := s.X[k] - 0.4 + float64(w*float64(place))
		from, to := p.px(lo)+1, p.px(lo+w)-1
		base, tip := p.py(max(0, p.ly)), p.py(s.Y[k])
		p.rect(from, min(base, tip), to-from, max(base, tip)-min(base, tip), "fill", c.colour(i))
		if len(s.Low) > 0 {
			middle := p.x(lo + float64(w/2))
			p.tag("line", "x1", middle, "x2", middle, "y1", p.y(s.Low[k]), "y2", p.y(s.High[k]), "stroke", "#222222")
		}
	}
}

package input

import (
	"encoding/binary"
	"math/bits"
)

// PageSize is the number of bytes of a page of [Packed].
const PageSize = 4096

// Packed holds many bytes, most of which may be zero: matrices stored densely are mostly made of
// nothing. A page of 512 words of eight bytes takes no memory if all words are zero. Otherwise it is
// stored plainly, or, if few words are nonzero or all nonzero ones are equal, as 64 bytes that mark
// them, followed by these words, or by one. A matrix of zeros and ones then takes 1/64 of its size,
// whatever the type of its entries.
type Packed struct {
	N     int // bytes
	Pages [][]byte
}

const markSize = PageSize / 64

// Add appends a page. Every page but the last is of pageSize bytes.
func (p *Packed) Add(page []byte) (stored int) {
	p.N += len(page)
	kept := append([]byte(nil), pack(page)...)
	p.Pages = append(p.Pages, kept)
	return len(kept) + 24
}

// pack returns the stored form of a page; the result may be the page itself.
func pack(page []byte) []byte {
	if len(page) < PageSize {
		return page
	}
	var out [PageSize]byte
	words, same := 0, true
	first := uint64(0)
	for k := 0; k < PageSize/8; k++ {
		w := binary.LittleEndian.Uint64(page[8*k:])
		if w == 0 {
			continue
		}
		out[k/8] |= 1 << (k % 8)
		if words == 0 {
			first = w
		}
		same = same && w == first
		if at := markSize + 8*words; at < PageSize {
			binary.LittleEndian.PutUint64(out[at:], w)
		}
		words++
	}
	switch size := markSize + 8*words; {
	case words == 0:
		return nil
	case same:
		return append([]byte(nil), out[:markSize+8]...)
	case size < PageSize:
		return append([]byte(nil), out[:size]...)
	}
	return page
}

// Page returns the bytes of page k, nil when all are zero. It may use buffer for them.
func (p *Packed) Page(k int, buffer *[PageSize]byte) []byte {
	kept := p.Pages[k]
	if len(kept) == 0 || len(kept) == PageSize || k == len(p.Pages)-1 && p.N%PageSize != 0 {
		return kept
	}
	clear(buffer[:])
	words := kept[markSize:]
	for b, mark := range kept[:markSize] {
		for ; mark != 0; mark &= mark - 1 {
			copy(buffer[8*(8*b+bits.TrailingZeros8(mark)):], words[:8])
			if len(words) > 8 {
				words = words[8:]
			}
		}
	}
	return buffer[:]
}

// Bytes returns all bytes.
func (p *Packed) Bytes() []byte {
	var buffer [PageSize]byte
	out := make([]byte, 0, p.N)
	for k := range p.Pages {
		page := p.Page(k, &buffer)
		if page == nil {
			page = buffer[:]
			clear(page)
		}
		out = append(out, page...)
	}
	return out
}

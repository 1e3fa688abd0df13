package builder

// Policy is the content security policy of the site: it may load from its own
// origin only, frame pages of it, compile WebAssembly, and make script addresses through the
// Trusted Types policy "cadem" alone. Its pages carry it in a meta element,
// because a static host sends no headers. The page makes its workers of Blobs, which take the policy
// over; a worker from an address would have none there.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self'; frame-src 'self'; " +
	"style-src 'self'; img-src 'self' blob: data:; manifest-src 'self'; base-uri 'none'; form-action 'none'; " +
	"require-trusted-types-for 'script'; trusted-types cadem"

// HeaderPolicy is Policy with the directive that counts only in a header: pages of the same origin alone may frame those of the site.
const HeaderPolicy = Policy + "; frame-ancestors 'self'"

// Connections is the value of Connection-Allowlist, a header that confines what Policy has no directive for, WebRTC above all, to the
// site's own origin. Chromium heeds it from version 152 on, Firefox and WebKit do not know it.
const Connections = "(response-origin)"

// Isolation is the value of Document-Isolation-Policy, a header with which the page's workers may
// share memory. The page does everything without it, by messages.
const Isolation = "isolate-and-require-corp"

// uPlot writes numbers in navigator.language from the moment it is loaded. Where no language is set some browsers say "C"
// there, which Intl refuses: then it is English.
try {
  Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', {value: 'en', configurable: true});
}

// A browser without vectors in WebAssembly.
WebAssembly.validate = () => false;
export {};

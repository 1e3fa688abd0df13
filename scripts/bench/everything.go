package main

func (b *bench) everything() error { return b.quick() }

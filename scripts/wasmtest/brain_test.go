package main

import "cadem.example/core/brain"

func init() { brain.Register() }

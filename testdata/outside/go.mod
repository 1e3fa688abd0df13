module outside

go 1.26

require cadem v0.0.0

require gonum.org/v1/gonum v0.17.0 // indirect

replace cadem => ../..

module cadem

go 1.26

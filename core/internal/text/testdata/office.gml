# After the examples of Himsolt, GML: A portable Graph File Format.
Creator "by hand"
Version 1
graph [
  comment "Four people & two relations"
  directed 0
  multigraph 1
  node [
    id 1
    label "Ana"
    team "north"
    graphics [ x 1.5 y -2 fill "#FF0000" Line [ point [ x 1 y 2 ] ] ]
  ]
  node [ id 2 label "Bo &amp; Co" team "south" ]
  node [ id 3 label "C&#233;line" team "south" ] # the third
  node [ id 4 label "Di" team "north" ]
  edge [ source 1 target 2 relation "work" value 2.5 key 0 ]
  edge [ source 2 target 3 relation "work" value +1.0E0 key 0 ]
  edge [ source 1 target 2 relation "lunch" value .5 key 1 ]
  edge [ source 4 target 1 relation "lunch" value 1 key 0 ]
  edge [ source 3 target 4 relation "lunch" value 1 key 0 ]
]

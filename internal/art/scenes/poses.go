package scenes

import "kaibao/internal/art/svg"

// The poses of the four sports. Each pair of points is the far and the near joint.

var basketballPoses = []pose{
	{ // jump shot
		head: svg.Point{196, 104}, neck: svg.Point{190, 136}, face: 1,
		shoulders: [2]svg.Point{{221, 152}, {158, 150}}, elbows: [2]svg.Point{{262, 106}, {146, 88}}, hands: [2]svg.Point{{246, 48}, {196, 50}},
		hips: [2]svg.Point{{203, 262}, {174, 262}}, knees: [2]svg.Point{{226, 340}, {160, 344}}, ankles: [2]svg.Point{{206, 412}, {138, 418}}, toes: [2]svg.Point{{216, 440}, {152, 442}},
		gear: basketball(svg.Point{232, 16}, 27), behind: true,
	},
	{ // dunk
		head: svg.Point{180, 122}, neck: svg.Point{172, 152}, face: 1,
		shoulders: [2]svg.Point{{146, 168}, {203, 156}}, elbows: [2]svg.Point{{92, 178}, {252, 108}}, hands: [2]svg.Point{{72, 124}, {282, 54}},
		hips: [2]svg.Point{{132, 264}, {160, 268}}, knees: [2]svg.Point{{84, 326}, {204, 316}}, ankles: [2]svg.Point{{22, 350}, {172, 384}}, toes: [2]svg.Point{{2, 376}, {196, 402}},
		gear: basketball(svg.Point{296, 30}, 27),
	},
	{ // crossover
		head: svg.Point{150, 122}, neck: svg.Point{164, 152}, face: -1,
		shoulders: [2]svg.Point{{138, 172}, {204, 162}}, elbows: [2]svg.Point{{96, 222}, {258, 206}}, hands: [2]svg.Point{{84, 282}, {300, 166}},
		hips: [2]svg.Point{{192, 270}, {226, 272}}, knees: [2]svg.Point{{126, 316}, {286, 324}}, ankles: [2]svg.Point{{142, 402}, {312, 402}}, toes: [2]svg.Point{{110, 416}, {288, 424}},
		gear: basketball(svg.Point{78, 322}, 27),
	},
	{ // lay-up
		head: svg.Point{204, 112}, neck: svg.Point{208, 142}, face: -1,
		shoulders: [2]svg.Point{{178, 150}, {238, 158}}, elbows: [2]svg.Point{{146, 96}, {276, 200}}, hands: [2]svg.Point{{128, 42}, {244, 236}},
		hips: [2]svg.Point{{196, 262}, {226, 264}}, knees: [2]svg.Point{{136, 288}, {242, 350}}, ankles: [2]svg.Point{{148, 366}, {282, 416}}, toes: [2]svg.Point{{118, 382}, {270, 440}},
		gear: basketball(svg.Point{112, 18}, 27),
	},
}

var baseballPoses = []pose{
	{ // swing
		bat:  true,
		head: svg.Point{204, 106}, neck: svg.Point{212, 136}, face: -1,
		shoulders: [2]svg.Point{{182, 156}, {242, 154}}, elbows: [2]svg.Point{{146, 190}, {196, 206}}, hands: [2]svg.Point{{112, 202}, {126, 204}},
		hips: [2]svg.Point{{200, 264}, {236, 262}}, knees: [2]svg.Point{{146, 330}, {276, 330}}, ankles: [2]svg.Point{{116, 410}, {306, 400}}, toes: [2]svg.Point{{82, 418}, {286, 428}},
		gear: bat(svg.Point{112, 202}, svg.Point{-4, 150}),
	},
	{ // waiting for the pitch
		bat:  true,
		head: svg.Point{180, 110}, neck: svg.Point{196, 140}, face: -1,
		shoulders: [2]svg.Point{{166, 160}, {232, 154}}, elbows: [2]svg.Point{{204, 202}, {284, 180}}, hands: [2]svg.Point{{246, 150}, {258, 134}},
		hips: [2]svg.Point{{196, 264}, {234, 266}}, knees: [2]svg.Point{{150, 328}, {270, 328}}, ankles: [2]svg.Point{{144, 410}, {284, 408}}, toes: [2]svg.Point{{110, 420}, {254, 422}},
		gear: bat(svg.Point{256, 132}, svg.Point{304, 8}), behind: true,
	},
	{ // the leg kick
		head: svg.Point{214, 92}, neck: svg.Point{218, 122}, face: -1,
		shoulders: [2]svg.Point{{188, 138}, {246, 138}}, elbows: [2]svg.Point{{158, 180}, {236, 198}}, hands: [2]svg.Point{{186, 178}, {196, 172}},
		hips: [2]svg.Point{{204, 246}, {236, 246}}, knees: [2]svg.Point{{136, 210}, {246, 336}}, ankles: [2]svg.Point{{126, 292}, {238, 416}}, toes: [2]svg.Point{{98, 306}, {204, 426}},
		gear: mitt(svg.Point{186, 166}, -20, false),
	},
	{ // the release
		head: svg.Point{156, 134}, neck: svg.Point{172, 160}, face: -1,
		shoulders: [2]svg.Point{{144, 180}, {210, 164}}, elbows: [2]svg.Point{{106, 222}, {258, 122}}, hands: [2]svg.Point{{142, 236}, {236, 64}},
		hips: [2]svg.Point{{206, 276}, {238, 280}}, knees: [2]svg.Point{{130, 320}, {304, 326}}, ankles: [2]svg.Point{{104, 406}, {352, 388}}, toes: [2]svg.Point{{68, 414}, {368, 414}},
		gear: allGear(baseball(svg.Point{224, 44}, 14), mitt(svg.Point{148, 236}, 60, false)), behind: true,
	},
	{ // the catch at the wall
		head: svg.Point{190, 122}, neck: svg.Point{198, 152}, face: -1,
		shoulders: [2]svg.Point{{168, 162}, {230, 168}}, elbows: [2]svg.Point{{138, 108}, {282, 196}}, hands: [2]svg.Point{{112, 62}, {314, 160}},
		hips: [2]svg.Point{{204, 272}, {236, 272}}, knees: [2]svg.Point{{156, 326}, {286, 318}}, ankles: [2]svg.Point{{178, 400}, {340, 368}}, toes: [2]svg.Point{{156, 424}, {354, 392}},
		gear: mitt(svg.Point{104, 44}, -22, true),
	},
}

var footballPoses = []pose{
	{ // the throw
		head: svg.Point{182, 100}, neck: svg.Point{192, 134}, face: -1,
		shoulders: [2]svg.Point{{150, 154}, {236, 148}}, elbows: [2]svg.Point{{98, 176}, {292, 140}}, hands: [2]svg.Point{{52, 152}, {276, 78}},
		hips: [2]svg.Point{{182, 266}, {220, 266}}, knees: [2]svg.Point{{132, 334}, {258, 338}}, ankles: [2]svg.Point{{118, 412}, {296, 408}}, toes: [2]svg.Point{{84, 422}, {270, 426}},
		gear: football(svg.Point{268, 50}, -24),
	},
	{ // the stiff arm
		head: svg.Point{142, 116}, neck: svg.Point{158, 148}, face: -1,
		shoulders: [2]svg.Point{{126, 168}, {208, 158}}, elbows: [2]svg.Point{{74, 176}, {250, 222}}, hands: [2]svg.Point{{22, 160}, {206, 238}},
		hips: [2]svg.Point{{196, 272}, {230, 272}}, knees: [2]svg.Point{{124, 298}, {268, 342}}, ankles: [2]svg.Point{{150, 378}, {338, 372}}, toes: [2]svg.Point{{120, 396}, {356, 398}},
		gear: football(svg.Point{190, 226}, -58),
	},
	{ // the leaping catch
		head: svg.Point{190, 118}, neck: svg.Point{184, 152}, face: 1,
		shoulders: [2]svg.Point{{224, 162}, {146, 164}}, elbows: [2]svg.Point{{270, 112}, {138, 98}}, hands: [2]svg.Point{{250, 58}, {196, 46}},
		hips: [2]svg.Point{{186, 278}, {152, 278}}, knees: [2]svg.Point{{234, 316}, {126, 352}}, ankles: [2]svg.Point{{206, 390}, {72, 404}}, toes: [2]svg.Point{{232, 410}, {58, 430}},
		gear: football(svg.Point{232, 28}, -30), behind: true,
	},
	{ // the punt
		head: svg.Point{218, 110}, neck: svg.Point{214, 144}, face: -1,
		shoulders: [2]svg.Point{{180, 162}, {254, 162}}, elbows: [2]svg.Point{{130, 186}, {304, 196}}, hands: [2]svg.Point{{94, 156}, {336, 158}},
		hips: [2]svg.Point{{200, 276}, {234, 276}}, knees: [2]svg.Point{{138, 236}, {240, 352}}, ankles: [2]svg.Point{{82, 166}, {244, 420}}, toes: [2]svg.Point{{58, 142}, {212, 430}},
		gear: football(svg.Point{36, 92}, -60),
	},
}

var soccerPoses = []pose{
	{ // the strike
		fullFigure: true,
		head:       svg.Point{196, 102}, neck: svg.Point{188, 132}, face: 1,
		shoulders: [2]svg.Point{{216, 148}, {158, 150}}, elbows: [2]svg.Point{{268, 164}, {102, 170}}, hands: [2]svg.Point{{308, 130}, {62, 136}},
		hips: [2]svg.Point{{194, 260}, {166, 262}}, knees: [2]svg.Point{{216, 338}, {104, 314}}, ankles: [2]svg.Point{{206, 412}, {44, 282}}, toes: [2]svg.Point{{238, 424}, {18, 300}},
		gear: soccerBall(svg.Point{288, 402}, 26),
	},
	{ // the bicycle kick
		fullFigure: true,
		head:       svg.Point{98, 272}, neck: svg.Point{124, 254}, face: -1,
		shoulders: [2]svg.Point{{132, 228}, {146, 274}}, elbows: [2]svg.Point{{92, 184}, {122, 330}}, hands: [2]svg.Point{{52, 150}, {82, 366}},
		hips: [2]svg.Point{{236, 210}, {246, 240}}, knees: [2]svg.Point{{262, 126}, {322, 226}}, ankles: [2]svg.Point{{238, 48}, {352, 300}}, toes: [2]svg.Point{{212, 26}, {376, 318}},
		gear: soccerBall(svg.Point{176, 24}, 27),
	},
	{ // the run with the ball
		fullFigure: true,
		head:       svg.Point{168, 104}, neck: svg.Point{180, 134}, face: -1,
		shoulders: [2]svg.Point{{152, 152}, {212, 150}}, elbows: [2]svg.Point{{108, 196}, {262, 188}}, hands: [2]svg.Point{{72, 164}, {240, 236}},
		hips: [2]svg.Point{{190, 262}, {218, 264}}, knees: [2]svg.Point{{132, 312}, {250, 338}}, ankles: [2]svg.Point{{124, 398}, {318, 384}}, toes: [2]svg.Point{{92, 410}, {330, 412}},
		gear: soccerBall(svg.Point{62, 406}, 26),
	},
	{ // the celebration
		fullFigure: true,
		head:       svg.Point{190, 104}, neck: svg.Point{190, 136}, face: 1,
		shoulders: [2]svg.Point{{158, 152}, {222, 152}}, elbows: [2]svg.Point{{94, 138}, {284, 136}}, hands: [2]svg.Point{{40, 96}, {338, 94}},
		hips: [2]svg.Point{{176, 264}, {206, 264}}, knees: [2]svg.Point{{150, 338}, {258, 320}}, ankles: [2]svg.Point{{142, 416}, {220, 384}}, toes: [2]svg.Point{{118, 430}, {240, 412}},
		gear: soccerBall(svg.Point{310, 404}, 26),
	},
	{ // the header
		fullFigure: true,
		head:       svg.Point{198, 116}, neck: svg.Point{188, 146}, face: 1,
		shoulders: [2]svg.Point{{218, 160}, {156, 164}}, elbows: [2]svg.Point{{262, 130}, {104, 148}}, hands: [2]svg.Point{{300, 98}, {74, 112}},
		hips: [2]svg.Point{{188, 272}, {158, 272}}, knees: [2]svg.Point{{226, 332}, {120, 330}}, ankles: [2]svg.Point{{178, 390}, {72, 388}}, toes: [2]svg.Point{{196, 412}, {56, 412}},
		gear: soccerBall(svg.Point{256, 74}, 27),
	},
}

// goalkeeperSave is the pose of goalkeepers.
var goalkeeperSave = pose{
	goalkeeper: true, fullFigure: true,
	head: svg.Point{128, 196}, neck: svg.Point{154, 206}, face: -1,
	shoulders: [2]svg.Point{{162, 178}, {160, 236}}, elbows: [2]svg.Point{{128, 122}, {92, 232}}, hands: [2]svg.Point{{80, 84}, {44, 176}},
	hips: [2]svg.Point{{240, 262}, {252, 284}}, knees: [2]svg.Point{{310, 264}, {286, 340}}, ankles: [2]svg.Point{{368, 312}, {350, 386}}, toes: [2]svg.Point{{386, 334}, {372, 404}},
	gear: soccerBall(svg.Point{36, 112}, 28), behind: true,
}

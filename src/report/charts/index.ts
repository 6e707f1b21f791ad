export { placeGroupBars, type GroupBars } from './group-bars.ts'
export { placeScatter, type ScatterPoint } from './scatter.ts'
export { linearScale, niceTicks, zoomDomain } from './scale.ts'
export { placeStrip } from './strip.ts'

/** Chart.js with everything registered, and its parts on the class itself as in its script build. */
import { Chart } from 'chart.js/auto'
import * as parts from 'chart.js'
import * as helpers from 'chart.js/helpers'

Object.assign(Chart, { ...parts, helpers })

export * from 'chart.js'
export { Chart, Chart as default }

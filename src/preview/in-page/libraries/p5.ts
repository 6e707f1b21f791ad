/** p5 without its listeners for the motion of the device: pages may not have that, and Chromium would report it as their error. */
import p5 from 'p5'

for (const name of ['_ondeviceorientation', '_ondevicemotion']) Reflect.deleteProperty(p5.prototype, name)

export default p5

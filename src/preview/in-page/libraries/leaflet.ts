/** Leaflet with its marker's pictures built in: it looks for them beside its style sheet, which is not loaded from a file here. */
import L from 'leaflet'
import icon from 'leaflet/dist/images/marker-icon.png'
import iconRetina from 'leaflet/dist/images/marker-icon-2x.png'
import shadow from 'leaflet/dist/images/marker-shadow.png'

L.Icon.Default.imagePath = ' '
L.Icon.Default.mergeOptions({ iconUrl: icon, iconRetinaUrl: iconRetina, shadowUrl: shadow })
L.Icon.Default.prototype._getIconUrl = L.Icon.prototype._getIconUrl

export * from 'leaflet'
export default L

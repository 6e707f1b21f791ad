/** Icon packages that are too large to include, drawn with what is: Font Awesome's font, and Lucide's icon of the same name. */

interface ReactGlobal {
  createElement(type: unknown, props: object, ...children: unknown[]): unknown
}

interface IconProps {
  size?: number | string
  color?: string
  className?: string
  style?: object
  title?: string
  onClick?: unknown
}

function react(): ReactGlobal {
  return Reflect.get(globalThis, 'React')
}

/** `circle-check` from `CircleCheck`, `arrow-up-9-1` from `ArrowUp91`. */
function kebab(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .replace(/([a-z])(\d)/g, '$1-$2')
    .toLowerCase()
}

/** A glyph that is not in the first font, such as a company's logo, comes from the second. */
const GLYPHS = '"Font Awesome 7 Free", "Font Awesome 7 Brands"'

function glyph(name: string, isRegular: boolean) {
  return ({ size, color, className = '', style, title, onClick }: IconProps = {}): unknown =>
    react().createElement('i', {
      className: `${isRegular ? 'fa-regular' : 'fa-solid'} fa-${name} ${className}`.trim(),
      style: {
        fontFamily: GLYPHS,
        ...(size !== undefined && { fontSize: size }),
        ...(color !== undefined && { color }),
        ...style,
      },
      'aria-hidden': true,
      ...(title !== undefined && { title }),
      ...(onClick !== undefined && { onClick }),
    })
}

function remember(create: (name: string) => unknown): object {
  const made = new Map<string, unknown>()
  return new Proxy(
    {},
    {
      get(_target, name) {
        if (typeof name !== 'string') return undefined
        if (name === '__esModule') return true
        if (!made.has(name)) made.set(name, create(name))
        return made.get(name)
      },
    },
  )
}

/** Names that Lucide gives another way, by the name without the set's prefix. */
const OTHER_NAMES: Record<string, string> = {
  Bars: 'Menu',
  Bars3: 'Menu',
  Times: 'X',
  Close: 'X',
  Cross: 'X',
  Cross1: 'X',
  Cross2: 'X',
  XMark: 'X',
  Person: 'User',
  Magnify: 'Search',
  MagnifyingGlass: 'Search',
  Cog: 'Settings',
  Gear: 'Settings',
  Delete: 'Trash2',
  Add: 'Plus',
  Remove: 'Minus',
  Edit: 'Pencil',
  Email: 'Mail',
  Envelope: 'Mail',
  Favorite: 'Heart',
  Notifications: 'Bell',
  Dashboard: 'LayoutDashboard',
  Logout: 'LogOut',
  Login: 'LogIn',
  Done: 'Check',
  LocationOn: 'MapPin',
  Speed: 'Gauge',
  People: 'Users',
  Group: 'Users',
  TrendingUp: 'TrendingUp',
  Cart: 'ShoppingCart',
  CardText: 'FileText',
  Lightning: 'Zap',
  LightningBolt: 'Zap',
  Bolt: 'Zap',
}

/** A package whose icons Lucide's of the same name stand for. `set` is its name: `react-icons/md`. */
export function createIconSet(global: string, set: string): object {
  const [, code = ''] = /^react-icons\/([a-z]+)\d?$/.exec(set) ?? []
  if (code === 'fa')
    return remember((name) => glyph(kebab(name.replace(/^Fa(?:Reg(?=[A-Z]))?/, '')), /^FaReg[A-Z]/.test(name)))
  const prefix = new RegExp(
    `^(?:${code === '' ? 'Icon' : code.replace(/^./, (letter) => letter.toUpperCase())})(?=[A-Z0-9])`,
  )
  const affixes =
    /^(?:Outline|Round|Sharp|Solid|Mini)(?=[A-Z])|(?:Outline|Outlined|Rounded|Sharp|Fill|Filled|Line|Icon)$/g
  return remember((name) => {
    const short = name.replace(prefix, '').replaceAll(affixes, '')
    const library: Record<string, unknown> = Reflect.get(globalThis, global)
    const icon = library[OTHER_NAMES[short] ?? short]
    return (props: IconProps = {}): unknown =>
      react().createElement(icon, { size: '1em', 'data-stands-for': name, ...props })
  })
}

/** `faHeart` of `@fortawesome/free-solid-svg-icons`. */
export function createAwesomeIcons(isRegular: boolean): object {
  return remember((name) => ({ isRegular, iconName: kebab(name.replace(/^fa/, '')) }))
}

/** `@fortawesome/react-fontawesome`. */
export const awesomeReact = {
  __esModule: true,
  FontAwesomeIcon({
    icon,
    ...props
  }: IconProps & { icon?: { iconName: string; isRegular?: boolean } | string | string[] }): unknown {
    const name = typeof icon === 'string' ? icon : Array.isArray(icon) ? icon[1] : icon?.iconName
    const isRegular = typeof icon === 'object' && !Array.isArray(icon) && icon.isRegular === true
    return glyph(
      name ?? 'circle',
      isRegular,
    )({ ...props, ...(/^\d|^[a-z]+$/.test(String(props.size ?? '')) && { size: '1em' }) })
  },
}

/** Storage that lasts as long as the page: the real one throws in a page without an origin. */
function createStorage(): Storage {
  const items = new Map<string, string>()
  const methods: Storage = {
    get length() {
      return items.size
    },
    clear: () => items.clear(),
    getItem: (key) => items.get(String(key)) ?? null,
    key: (index) => [...items.keys()][index] ?? null,
    removeItem: (key) => void items.delete(String(key)),
    setItem: (key, value) => void items.set(String(key), String(value)),
  }
  // Pages also write `localStorage.theme = 'dark'`.
  return new Proxy(methods, {
    get: (target, key) => (typeof key === 'string' && !(key in target) ? items.get(key) : Reflect.get(target, key)),
    set(_target, key, value) {
      items.set(String(key), String(value))
      return true
    },
    has: (target, key) => key in target || items.has(String(key)),
    deleteProperty: (_target, key) => items.delete(String(key)) || true,
    ownKeys: () => [...items.keys()],
    getOwnPropertyDescriptor: (target, key) =>
      typeof key === 'string' && items.has(key)
        ? { value: items.get(key), configurable: true, enumerable: true, writable: true }
        : Reflect.getOwnPropertyDescriptor(target, key),
  })
}

function replaceCookie(): void {
  const cookies = new Map<string, string>()
  Object.defineProperty(document, 'cookie', {
    configurable: true,
    get: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    set(text: unknown) {
      const [pair = '', ...attributes] = String(text).split(';')
      const [name = '', ...value] = pair.split('=')
      const isExpired = attributes.some((attribute) => /^\s*(?:max-age=(?:0|-)|expires=.*1970)/i.test(attribute))
      if (isExpired) cookies.delete(name.trim())
      else cookies.set(name.trim(), value.join('=').trim())
    },
  })
}

export function replaceStorage(): void {
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, { configurable: true, value: createStorage() })
  replaceCookie()
}

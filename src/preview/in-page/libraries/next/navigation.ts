const nothing = (): void => undefined

const router = {
  push: nothing,
  replace: nothing,
  back: nothing,
  forward: nothing,
  refresh: nothing,
  prefetch: nothing,
  pathname: '/',
  asPath: '/',
  query: {},
}

export const useRouter = () => router
export const usePathname = () => '/'
export const useSearchParams = () => new URLSearchParams()
export const useParams = () => ({})
export const useSelectedLayoutSegment = () => null
export const redirect = nothing
export const permanentRedirect = nothing
export function notFound(): never {
  throw new Error('The page called notFound()')
}

/** The components that are plain elements with classes. */
import { cva, type VariantProps as Variants } from 'class-variance-authority'
import { Label as LabelParts, Separator as SeparatorParts, Slot } from 'radix-ui'
import type { ReactNode } from 'react'
import { ChevronLeft, ChevronRight, Dots, cn, part, type PartProps } from './part.tsx'

const ring = 'outline-none focus-visible:border-ring focus-visible:ring-ring/50 focus-visible:ring-[3px]'

export const buttonVariants = cva(
  `inline-flex items-center justify-center gap-2 whitespace-nowrap rounded-md text-sm font-medium transition-all cursor-pointer disabled:pointer-events-none disabled:opacity-50 [&_svg]:pointer-events-none [&_svg:not([class*='size-']):not([class*='w-'])]:size-4 shrink-0 [&_svg]:shrink-0 ${ring}`,
  {
    variants: {
      variant: {
        default: 'bg-primary text-primary-foreground shadow-xs hover:bg-primary/90',
        destructive: 'bg-destructive text-white shadow-xs hover:bg-destructive/90',
        outline: 'border border-input bg-background shadow-xs hover:bg-accent hover:text-accent-foreground',
        secondary: 'bg-secondary text-secondary-foreground shadow-xs hover:bg-secondary/80',
        ghost: 'hover:bg-accent hover:text-accent-foreground',
        link: 'text-primary underline-offset-4 hover:underline',
      },
      size: {
        default: 'h-9 px-4 py-2 has-[>svg]:px-3',
        sm: 'h-8 rounded-md gap-1.5 px-3',
        lg: 'h-10 rounded-md px-6',
        icon: 'size-9',
        'icon-sm': 'size-8',
        'icon-lg': 'size-10',
      },
    },
    defaultVariants: { variant: 'default', size: 'default' },
  },
)

export const badgeVariants = cva(
  'inline-flex items-center justify-center rounded-md border px-2 py-0.5 text-xs font-medium w-fit whitespace-nowrap shrink-0 [&>svg]:size-3 gap-1',
  {
    variants: {
      variant: {
        default: 'border-transparent bg-primary text-primary-foreground',
        secondary: 'border-transparent bg-secondary text-secondary-foreground',
        destructive: 'border-transparent bg-destructive text-white',
        outline: 'text-foreground',
      },
    },
    defaultVariants: { variant: 'default' },
  },
)

export const alertVariants = cva(
  'relative w-full rounded-lg border px-4 py-3 text-sm grid has-[>svg]:grid-cols-[1rem_1fr] grid-cols-[0_1fr] has-[>svg]:gap-x-3 gap-y-0.5 items-start [&>svg]:size-4 [&>svg]:translate-y-0.5 [&>svg]:text-current',
  {
    variants: {
      variant: { default: 'bg-card text-card-foreground', destructive: 'text-destructive bg-card' },
    },
    defaultVariants: { variant: 'default' },
  },
)

export function Button({
  className,
  variant,
  size,
  asChild = false,
  ...props
}: PartProps & Variants<typeof buttonVariants> & { asChild?: boolean }): ReactNode {
  const Tag = asChild ? Slot.Root : 'button'
  return <Tag data-slot="button" {...props} className={cn(buttonVariants({ variant, size }), className)} />
}

export function Badge({
  className,
  variant,
  asChild = false,
  ...props
}: PartProps & Variants<typeof badgeVariants> & { asChild?: boolean }): ReactNode {
  const Tag = asChild ? Slot.Root : 'span'
  return <Tag data-slot="badge" {...props} className={cn(badgeVariants({ variant }), className)} />
}

export function Alert({ className, variant, ...props }: PartProps & Variants<typeof alertVariants>): ReactNode {
  return <div data-slot="alert" role="alert" {...props} className={cn(alertVariants({ variant }), className)} />
}
export const AlertTitle = part('div', 'alert-title', 'col-start-2 line-clamp-1 min-h-4 font-medium tracking-tight')
export const AlertDescription = part(
  'div',
  'alert-description',
  'text-muted-foreground col-start-2 grid justify-items-start gap-1 text-sm [&_p]:leading-relaxed',
)

export const Card = part(
  'div',
  'card',
  'bg-card text-card-foreground flex flex-col gap-6 rounded-xl border py-6 shadow-sm',
)
export const CardHeader = part(
  'div',
  'card-header',
  'grid auto-rows-min grid-rows-[auto_auto] items-start gap-1.5 px-6 has-data-[slot=card-action]:grid-cols-[1fr_auto] [.border-b]:pb-6',
)
export const CardTitle = part('div', 'card-title', 'leading-none font-semibold')
export const CardDescription = part('div', 'card-description', 'text-muted-foreground text-sm')
export const CardAction = part('div', 'card-action', 'col-start-2 row-span-2 row-start-1 self-start justify-self-end')
export const CardContent = part('div', 'card-content', 'px-6')
export const CardFooter = part('div', 'card-footer', 'flex items-center px-6 [.border-t]:pt-6')

const field = `placeholder:text-muted-foreground border-input w-full min-w-0 rounded-md border bg-transparent text-base shadow-xs transition-[color,box-shadow] disabled:cursor-not-allowed disabled:opacity-50 md:text-sm aria-invalid:border-destructive ${ring}`
export const Input = part(
  'input',
  'input',
  `flex h-9 px-3 py-1 file:border-0 file:bg-transparent file:text-sm ${field}`,
)
export const Textarea = part('textarea', 'textarea', `flex field-sizing-content min-h-16 px-3 py-2 ${field}`)
export const Label = part(
  LabelParts.Root,
  'label',
  'flex items-center gap-2 text-sm leading-none font-medium select-none peer-disabled:cursor-not-allowed peer-disabled:opacity-50',
)
export const Separator = part(
  SeparatorParts.Root,
  'separator',
  'bg-border shrink-0 data-[orientation=horizontal]:h-px data-[orientation=horizontal]:w-full data-[orientation=vertical]:h-full data-[orientation=vertical]:w-px',
  { decorative: true, orientation: 'horizontal' },
)
export const Skeleton = part('div', 'skeleton', 'bg-accent animate-pulse rounded-md')

export function Table({ className, ...props }: PartProps): ReactNode {
  return (
    <div data-slot="table-container" className="relative w-full overflow-x-auto">
      <table data-slot="table" {...props} className={cn('w-full caption-bottom text-sm', className)} />
    </div>
  )
}
export const TableHeader = part('thead', 'table-header', '[&_tr]:border-b')
export const TableBody = part('tbody', 'table-body', '[&_tr:last-child]:border-0')
export const TableFooter = part('tfoot', 'table-footer', 'bg-muted/50 border-t font-medium [&>tr]:last:border-b-0')
export const TableRow = part(
  'tr',
  'table-row',
  'hover:bg-muted/50 data-[state=selected]:bg-muted border-b transition-colors',
)
export const TableHead = part(
  'th',
  'table-head',
  'text-foreground h-10 px-2 text-left align-middle font-medium whitespace-nowrap',
)
export const TableCell = part('td', 'table-cell', 'p-2 align-middle whitespace-nowrap')
export const TableCaption = part('caption', 'table-caption', 'text-muted-foreground mt-4 text-sm')

export const Breadcrumb = part('nav', 'breadcrumb', '', { 'aria-label': 'breadcrumb' })
export const BreadcrumbList = part(
  'ol',
  'breadcrumb-list',
  'text-muted-foreground flex flex-wrap items-center gap-1.5 text-sm break-words sm:gap-2.5',
)
export const BreadcrumbItem = part('li', 'breadcrumb-item', 'inline-flex items-center gap-1.5')
export function BreadcrumbLink({ asChild = false, className, ...props }: PartProps & { asChild?: boolean }): ReactNode {
  const Tag = asChild ? Slot.Root : 'a'
  return (
    <Tag data-slot="breadcrumb-link" {...props} className={cn('hover:text-foreground transition-colors', className)} />
  )
}
export const BreadcrumbPage = part('span', 'breadcrumb-page', 'text-foreground font-normal', { 'aria-current': 'page' })
export function BreadcrumbSeparator({ children, className, ...props }: PartProps): ReactNode {
  return (
    <li role="presentation" aria-hidden="true" {...props} className={cn('[&>svg]:size-3.5', className)}>
      {children ?? <ChevronRight />}
    </li>
  )
}
export function BreadcrumbEllipsis({ className }: PartProps): ReactNode {
  return (
    <span role="presentation" aria-hidden="true" className={cn('flex size-9 items-center justify-center', className)}>
      <Dots />
    </span>
  )
}

export const Pagination = part('nav', 'pagination', 'mx-auto flex w-full justify-center', {
  'aria-label': 'pagination',
})
export const PaginationContent = part('ul', 'pagination-content', 'flex flex-row items-center gap-1')
export const PaginationItem = part('li', 'pagination-item', '')
export function PaginationLink({
  className,
  children,
  isActive = false,
  size = 'icon',
  ...props
}: PartProps & Pick<Variants<typeof buttonVariants>, 'size'> & { isActive?: boolean }): ReactNode {
  return (
    <a
      data-slot="pagination-link"
      {...(isActive && { 'aria-current': 'page' as const })}
      {...props}
      className={cn(buttonVariants({ variant: isActive ? 'outline' : 'ghost', size }), className)}
    >
      {children}
    </a>
  )
}
export function PaginationPrevious(props: PartProps): ReactNode {
  return (
    <PaginationLink aria-label="Go to previous page" size="default" {...props}>
      <ChevronLeft />
      <span>Previous</span>
    </PaginationLink>
  )
}
export function PaginationNext(props: PartProps): ReactNode {
  return (
    <PaginationLink aria-label="Go to next page" size="default" {...props}>
      <span>Next</span>
      <ChevronRight />
    </PaginationLink>
  )
}

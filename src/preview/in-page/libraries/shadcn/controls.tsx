/** Components with a state: switches, selections, tabs. */
import { cva } from 'class-variance-authority'
import {
  Accordion as Accordions,
  AspectRatio as Ratios,
  Avatar as Avatars,
  Checkbox as Checkboxes,
  Collapsible as Collapsibles,
  NavigationMenu as Navigations,
  Progress as Progresses,
  RadioGroup as Radios,
  ScrollArea as Areas,
  Select as Selects,
  Slider as Sliders,
  Switch as Switches,
  Tabs as TabParts,
  Toggle as Toggles,
  ToggleGroup as ToggleGroups,
} from 'radix-ui'
import type { ReactNode } from 'react'
import { CheckMark, ChevronDown, cn, part, plain, type PartProps } from './part.tsx'

const ring = 'outline-none focus-visible:ring-ring/50 focus-visible:ring-[3px]'

export const Tabs = part(TabParts.Root, 'tabs', 'flex flex-col gap-2')
export const TabsList = part(
  TabParts.List,
  'tabs-list',
  'bg-muted text-muted-foreground inline-flex h-9 w-fit items-center justify-center rounded-lg p-[3px]',
)
export const TabsTrigger = part(
  TabParts.Trigger,
  'tabs-trigger',
  `data-[state=active]:bg-background data-[state=active]:text-foreground inline-flex h-[calc(100%-1px)] flex-1 items-center justify-center gap-1.5 rounded-md border border-transparent px-2 py-1 text-sm font-medium whitespace-nowrap cursor-pointer data-[state=active]:shadow-sm disabled:pointer-events-none disabled:opacity-50 [&_svg:not([class*='size-']):not([class*='w-'])]:size-4 ${ring}`,
)
export const TabsContent = part(TabParts.Content, 'tabs-content', 'flex-1 outline-none')

export const Accordion = plain(Accordions.Root, 'accordion')
export const AccordionItem = part(Accordions.Item, 'accordion-item', 'border-b last:border-b-0')
export function AccordionTrigger({ className, children, ...props }: PartProps): ReactNode {
  return (
    <Accordions.Header className="flex">
      <Accordions.Trigger
        {...props}
        className={cn(
          'flex flex-1 items-start justify-between gap-4 rounded-md py-4 text-left text-sm font-medium cursor-pointer hover:underline [&[data-state=open]>svg]:rotate-180',
          className,
        )}
      >
        {children}
        <ChevronDown className="text-muted-foreground size-4 shrink-0 translate-y-0.5 transition-transform duration-200" />
      </Accordions.Trigger>
    </Accordions.Header>
  )
}
export function AccordionContent({ className, children, ...props }: PartProps): ReactNode {
  return (
    <Accordions.Content {...props} className="overflow-hidden text-sm">
      <div className={cn('pt-0 pb-4', className)}>{children}</div>
    </Accordions.Content>
  )
}

export const Collapsible = plain(Collapsibles.Root, 'collapsible')
export const CollapsibleTrigger = plain(Collapsibles.Trigger, 'collapsible-trigger')
export const CollapsibleContent = plain(Collapsibles.Content, 'collapsible-content')

export function Checkbox({ className, ...props }: PartProps): ReactNode {
  return (
    <Checkboxes.Root
      data-slot="checkbox"
      {...props}
      className={cn(
        `peer border-input data-[state=checked]:bg-primary data-[state=checked]:text-primary-foreground data-[state=checked]:border-primary size-4 shrink-0 rounded-[4px] border shadow-xs disabled:cursor-not-allowed disabled:opacity-50 ${ring}`,
        className,
      )}
    >
      <Checkboxes.Indicator className="flex items-center justify-center text-current">
        <CheckMark className="size-3.5" />
      </Checkboxes.Indicator>
    </Checkboxes.Root>
  )
}

export function Switch({ className, ...props }: PartProps): ReactNode {
  return (
    <Switches.Root
      data-slot="switch"
      {...props}
      className={cn(
        `peer data-[state=checked]:bg-primary data-[state=unchecked]:bg-input inline-flex h-[1.15rem] w-8 shrink-0 items-center rounded-full border border-transparent shadow-xs transition-all cursor-pointer disabled:cursor-not-allowed disabled:opacity-50 ${ring}`,
        className,
      )}
    >
      <Switches.Thumb className="bg-background pointer-events-none block size-4 rounded-full transition-transform data-[state=checked]:translate-x-[calc(100%-2px)] data-[state=unchecked]:translate-x-0" />
    </Switches.Root>
  )
}

export function Slider({ className, defaultValue, value, min = 0, max = 100, ...props }: PartProps): ReactNode {
  const numbers = [value, defaultValue].find((list): list is number[] => Array.isArray(list)) ?? [Number(min)]
  return (
    <Sliders.Root
      data-slot="slider"
      {...(Array.isArray(defaultValue) && { defaultValue })}
      {...(Array.isArray(value) && { value })}
      min={Number(min)}
      max={Number(max)}
      {...props}
      className={cn(
        'relative flex w-full touch-none items-center select-none data-[disabled]:opacity-50 data-[orientation=vertical]:h-full data-[orientation=vertical]:flex-col',
        className,
      )}
    >
      <Sliders.Track className="bg-muted relative grow overflow-hidden rounded-full data-[orientation=horizontal]:h-1.5 data-[orientation=horizontal]:w-full data-[orientation=vertical]:h-full data-[orientation=vertical]:w-1.5">
        <Sliders.Range className="bg-primary absolute data-[orientation=horizontal]:h-full data-[orientation=vertical]:w-full" />
      </Sliders.Track>
      {[...numbers.keys()].map((thumb) => (
        <Sliders.Thumb
          key={thumb}
          className="border-primary bg-background block size-4 shrink-0 rounded-full border shadow-sm"
        />
      ))}
    </Sliders.Root>
  )
}

export function Progress({ className, value, ...props }: PartProps): ReactNode {
  const share = Number(value ?? 0)
  return (
    <Progresses.Root
      data-slot="progress"
      value={share}
      {...props}
      className={cn('bg-primary/20 relative h-2 w-full overflow-hidden rounded-full', className)}
    >
      <Progresses.Indicator
        className="bg-primary h-full w-full flex-1 transition-all"
        style={{ transform: `translateX(-${100 - share}%)` }}
      />
    </Progresses.Root>
  )
}

export const RadioGroup = part(Radios.Root, 'radio-group', 'grid gap-3')
export function RadioGroupItem({ className, value, ...props }: PartProps): ReactNode {
  return (
    <Radios.Item
      value={String(value)}
      {...props}
      className={cn(
        `border-input text-primary aspect-square size-4 shrink-0 rounded-full border shadow-xs ${ring}`,
        className,
      )}
    >
      <Radios.Indicator className="relative flex items-center justify-center">
        <span className="bg-primary size-2 rounded-full" />
      </Radios.Indicator>
    </Radios.Item>
  )
}

export const Select = plain(Selects.Root, 'select')
export const SelectGroup = plain(Selects.Group, 'select-group')
export const SelectValue = plain(Selects.Value, 'select-value')
export function SelectTrigger({ className, children, size = 'default', ...props }: PartProps): ReactNode {
  return (
    <Selects.Trigger
      data-slot="select-trigger"
      data-size={size}
      {...props}
      className={cn(
        `border-input data-[placeholder]:text-muted-foreground flex w-fit items-center justify-between gap-2 rounded-md border bg-transparent px-3 py-2 text-sm whitespace-nowrap shadow-xs disabled:cursor-not-allowed disabled:opacity-50 data-[size=default]:h-9 data-[size=sm]:h-8 ${ring}`,
        className,
      )}
    >
      {children}
      <ChevronDown className="size-4 opacity-50" />
    </Selects.Trigger>
  )
}
export function SelectContent({ className, children, position: _position, ...props }: PartProps): ReactNode {
  return (
    <Selects.Portal>
      <Selects.Content
        position="popper"
        sideOffset={4}
        {...props}
        className={cn(
          'bg-popover text-popover-foreground relative z-50 max-h-72 min-w-[8rem] overflow-x-hidden overflow-y-auto rounded-md border shadow-md',
          className,
        )}
      >
        <Selects.Viewport className="p-1 w-full min-w-[var(--radix-select-trigger-width)]">{children}</Selects.Viewport>
      </Selects.Content>
    </Selects.Portal>
  )
}
export const SelectLabel = part(Selects.Label, 'select-label', 'text-muted-foreground px-2 py-1.5 text-xs')
export const SelectSeparator = part(Selects.Separator, 'select-separator', 'bg-border -mx-1 my-1 h-px')
export function SelectItem({ className, children, value, ...props }: PartProps): ReactNode {
  return (
    <Selects.Item
      value={String(value)}
      {...props}
      className={cn(
        'focus:bg-accent focus:text-accent-foreground relative flex w-full cursor-default items-center gap-2 rounded-sm py-1.5 pr-8 pl-2 text-sm outline-hidden select-none data-[disabled]:opacity-50',
        className,
      )}
    >
      <span className="absolute right-2 flex size-3.5 items-center justify-center">
        <Selects.ItemIndicator>
          <CheckMark />
        </Selects.ItemIndicator>
      </span>
      <Selects.ItemText>{children}</Selects.ItemText>
    </Selects.Item>
  )
}

export const Avatar = part(Avatars.Root, 'avatar', 'relative flex size-8 shrink-0 overflow-hidden rounded-full')
export const AvatarImage = part(Avatars.Image, 'avatar-image', 'aspect-square size-full')
export const AvatarFallback = part(
  Avatars.Fallback,
  'avatar-fallback',
  'bg-muted flex size-full items-center justify-center rounded-full',
)
export const AspectRatio = plain(Ratios.Root, 'aspect-ratio')

export function ScrollArea({ className, children, ...props }: PartProps): ReactNode {
  return (
    <Areas.Root {...props} className={cn('relative', className)}>
      <Areas.Viewport className="size-full rounded-[inherit]">{children}</Areas.Viewport>
      <ScrollBar />
      <Areas.Corner />
    </Areas.Root>
  )
}
export function ScrollBar({ className, orientation }: PartProps): ReactNode {
  const isFlat = orientation === 'horizontal'
  return (
    <Areas.Scrollbar
      orientation={isFlat ? 'horizontal' : 'vertical'}
      className={cn('flex touch-none p-px select-none', isFlat ? 'h-2.5 flex-col' : 'h-full w-2.5', className)}
    >
      <Areas.Thumb className="bg-border relative flex-1 rounded-full" />
    </Areas.Scrollbar>
  )
}

export const toggleVariants = cva(
  `inline-flex items-center justify-center gap-2 rounded-md text-sm font-medium cursor-pointer hover:bg-muted hover:text-muted-foreground disabled:pointer-events-none disabled:opacity-50 data-[state=on]:bg-accent data-[state=on]:text-accent-foreground [&_svg:not([class*='size-']):not([class*='w-'])]:size-4 whitespace-nowrap ${ring}`,
  {
    variants: {
      variant: { default: 'bg-transparent', outline: 'border border-input bg-transparent shadow-xs hover:bg-accent' },
      size: { default: 'h-9 px-2 min-w-9', sm: 'h-8 px-1.5 min-w-8', lg: 'h-10 px-2.5 min-w-10' },
    },
    defaultVariants: { variant: 'default', size: 'default' },
  },
)
type ToggleProps = PartProps & { variant?: 'default' | 'outline'; size?: 'default' | 'sm' | 'lg' }
export function Toggle({ className, variant, size, ...props }: ToggleProps): ReactNode {
  return <Toggles.Root {...props} className={cn(toggleVariants({ variant, size }), className)} />
}
export function ToggleGroup({ className, variant: _variant, size: _size, type, ...props }: PartProps): ReactNode {
  const shared = { ...props, className: cn('flex w-fit items-center gap-1 rounded-md', className) }
  return type === 'multiple' ? (
    <ToggleGroups.Root type="multiple" {...shared} />
  ) : (
    <ToggleGroups.Root type="single" {...shared} />
  )
}
export function ToggleGroupItem({ className, variant, size, value, ...props }: ToggleProps): ReactNode {
  return (
    <ToggleGroups.Item value={String(value)} {...props} className={cn(toggleVariants({ variant, size }), className)} />
  )
}

export function NavigationMenu({ className, children, ...props }: PartProps): ReactNode {
  return (
    <Navigations.Root
      {...props}
      className={cn('relative flex max-w-max flex-1 items-center justify-center', className)}
    >
      {children}
      <div className="absolute top-full left-0 isolate z-50 flex justify-center">
        <Navigations.Viewport className="bg-popover text-popover-foreground relative mt-1.5 h-[var(--radix-navigation-menu-viewport-height)] w-full overflow-hidden rounded-md border shadow md:w-[var(--radix-navigation-menu-viewport-width)]" />
      </div>
    </Navigations.Root>
  )
}
export const navigationMenuTriggerStyle = cva(
  'group inline-flex h-9 w-max items-center justify-center rounded-md bg-background px-4 py-2 text-sm font-medium hover:bg-accent hover:text-accent-foreground data-[state=open]:bg-accent/50',
)
export const NavigationMenuList = part(
  Navigations.List,
  'navigation-menu-list',
  'flex flex-1 list-none items-center justify-center gap-1',
)
export const NavigationMenuItem = part(Navigations.Item, 'navigation-menu-item', 'relative')
export function NavigationMenuTrigger({ className, children, ...props }: PartProps): ReactNode {
  return (
    <Navigations.Trigger {...props} className={cn(navigationMenuTriggerStyle(), className)}>
      {children} <ChevronDown className="relative top-px ml-1 size-3 transition group-data-[state=open]:rotate-180" />
    </Navigations.Trigger>
  )
}
export const NavigationMenuContent = part(
  Navigations.Content,
  'navigation-menu-content',
  'top-0 left-0 w-full p-2 md:absolute md:w-auto',
)
export const NavigationMenuLink = part(
  Navigations.Link,
  'navigation-menu-link',
  'hover:bg-accent hover:text-accent-foreground flex flex-col gap-1 rounded-sm p-2 text-sm',
)

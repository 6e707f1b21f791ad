/** shadcn's colours and radii, for answers that use its components without the style sheet of a project. The page's own come after. */
const SHADCN_THEME = `@layer base {
  :root {
    --radius: 0.625rem; --background: #fff; --foreground: #0a0a0a; --card: #fff; --card-foreground: #0a0a0a;
    --popover: #fff; --popover-foreground: #0a0a0a; --primary: #171717; --primary-foreground: #fafafa;
    --secondary: #f5f5f5; --secondary-foreground: #171717; --muted: #f5f5f5; --muted-foreground: #737373;
    --accent: #f5f5f5; --accent-foreground: #171717; --destructive: #dc2626; --destructive-foreground: #fafafa;
    --border: #e5e5e5; --input: #e5e5e5; --ring: #a3a3a3; --chart-1: #e76e50; --chart-2: #2a9d90; --chart-3: #274754;
    --chart-4: #e8c468; --chart-5: #f4a462; --sidebar: #fafafa; --sidebar-foreground: #0a0a0a; --sidebar-border: #e5e5e5;
  }
  .dark {
    --background: #0a0a0a; --foreground: #fafafa; --card: #171717; --card-foreground: #fafafa; --popover: #171717;
    --popover-foreground: #fafafa; --primary: #e5e5e5; --primary-foreground: #171717; --secondary: #262626;
    --secondary-foreground: #fafafa; --muted: #262626; --muted-foreground: #a3a3a3; --accent: #262626;
    --accent-foreground: #fafafa; --destructive: #f87171; --border: #ffffff1a; --input: #ffffff26; --ring: #737373;
    --sidebar: #171717; --sidebar-foreground: #fafafa; --sidebar-border: #ffffff1a;
  }
  *, ::after, ::before { border-color: var(--border) }
}
@custom-variant dark (&:is(.dark, .dark *));
@theme inline {
  --color-background: var(--background); --color-foreground: var(--foreground); --color-card: var(--card);
  --color-card-foreground: var(--card-foreground); --color-popover: var(--popover);
  --color-popover-foreground: var(--popover-foreground); --color-primary: var(--primary);
  --color-primary-foreground: var(--primary-foreground); --color-secondary: var(--secondary);
  --color-secondary-foreground: var(--secondary-foreground); --color-muted: var(--muted);
  --color-muted-foreground: var(--muted-foreground); --color-accent: var(--accent);
  --color-accent-foreground: var(--accent-foreground); --color-destructive: var(--destructive);
  --color-destructive-foreground: var(--destructive-foreground); --color-border: var(--border);
  --color-input: var(--input); --color-ring: var(--ring); --color-chart-1: var(--chart-1);
  --color-chart-2: var(--chart-2); --color-chart-3: var(--chart-3); --color-chart-4: var(--chart-4);
  --color-chart-5: var(--chart-5); --color-sidebar: var(--sidebar);
  --color-sidebar-foreground: var(--sidebar-foreground); --color-sidebar-border: var(--sidebar-border);
  --radius-sm: calc(var(--radius) - 4px); --radius-md: calc(var(--radius) - 2px); --radius-lg: var(--radius);
  --radius-xl: calc(var(--radius) + 4px);
}`

/** A project for Tailwind 3 has the parts of its colours in the variables: `--primary: 222 47% 11%`. */
const CHANNELS = /--(?:primary|background|foreground)\s*:\s*[\d.]+(?:deg)?\s+[\d.]+%/

export function writeShadcnTheme(markup: string): string {
  if (!CHANNELS.test(markup)) return SHADCN_THEME
  const [, inline = ''] = SHADCN_THEME.split('@custom-variant')
  return `@custom-variant${inline.replace(/(--color-[\w-]+): var\((--[\w-]+)\)/g, '$1: hsl(var($2))')}
@layer base { *, ::after, ::before { border-color: hsl(var(--border)) } }`
}

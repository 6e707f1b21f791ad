import type { Report } from '../model/report.ts'

/** A kind of file that a report can be written as. Menus, help texts, media types and extensions are read from it. */
export interface ReportFormat {
  /** In options and addresses: `markdown`. Its extension without the dot names it too. */
  name: string
  /** In menus: `JUnit XML`. */
  label: string
  /** `.md` */
  extension: string
  mediaType: string
  write(report: Report): string | Iterable<string>
}

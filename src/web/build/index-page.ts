/**
 * The one page that every address of the dashboard is answered with. Nothing is inline, so that a content security policy can forbid
 * inline scripts and styles altogether.
 */
export function indexPage(files: { readonly script: string; readonly style: string; readonly icon: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>Cutover</title>
<link rel="icon" type="image/svg+xml" href="/${files.icon}">
<link rel="stylesheet" href="/${files.style}">
<script type="module" src="/${files.script}"></script>
</head>
<body>
<div id="app"></div>
<noscript>This page needs JavaScript. Without it: cutover list, cutover get NAME, cutover status NAME.</noscript>
</body>
</html>
`;
}

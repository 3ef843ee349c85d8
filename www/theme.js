// Before anything is drawn: the colours that a link asks for. `www/address.js` does the rest.
{
  const [, theme] = /^#v1;(?:.*;)?theme=(light|dark)(?:;|$)/.exec(location.hash) ?? [];
  if (theme) document.documentElement.dataset.theme = theme;
}

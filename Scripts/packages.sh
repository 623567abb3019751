# The Debian packages by which typeset is built, and that books are set with: read by other scripts.
# shellcheck shell=sh disable=SC2034

jpeg=libjpeg62-turbo-dev
[ "$(. /etc/os-release 2>/dev/null && echo "${ID:-}")" != ubuntu ] || jpeg=libjpeg-turbo8-dev
libraries="pkg-config libxml2-dev libharfbuzz-dev libfreetype-dev libfontconfig-dev libzip-dev zlib1g-dev librsvg2-2
  libcairo2-dev libicu-dev libdeflate-dev libpng-dev $jpeg libwebp-dev libgif-dev libavif-dev libjxl-dev
  liblcms2-dev libzstd-dev libyaml-dev libcmark-gfm-dev libcmark-gfm-extensions-dev libmobi-dev libpcre2-dev"
# Debian has ISA-L for one architecture; without it pages are compressed more slowly.
[ "$(dpkg --print-architecture 2>/dev/null)" != amd64 ] || libraries="$libraries libisal-dev"
fonts="fonts-noto-cjk fonts-linuxlibertine fonts-noto-core fonts-dejavu-core fonts-dejavu-extra fonts-liberation
  fonts-lxgw-wenkai fonts-texgyre-math fonts-noto-color-emoji"
hyphenation="hyphen-af hyphen-as hyphen-be hyphen-bg hyphen-bn hyphen-ca hyphen-cs hyphen-da hyphen-de hyphen-el
  hyphen-en-gb hyphen-en-us hyphen-es hyphen-fr hyphen-gl hyphen-gu hyphen-hi hyphen-hr hyphen-hu hyphen-id hyphen-is
  hyphen-it hyphen-kn hyphen-lt hyphen-lv hyphen-ml hyphen-mn hyphen-mr hyphen-nl hyphen-no hyphen-or hyphen-pa
  hyphen-pl hyphen-pt-br hyphen-pt-pt hyphen-ro hyphen-ru hyphen-sk hyphen-sl hyphen-sr hyphen-sv hyphen-ta hyphen-te
  hyphen-th hyphen-uk hyphen-zu"

# Fedora's (not proved).
fedora_libraries="pkgconf-pkg-config libxml2-devel harfbuzz-devel freetype-devel fontconfig-devel libzip-devel zlib-devel librsvg2 cairo-devel
  libicu-devel libdeflate-devel libpng-devel libjpeg-turbo-devel libwebp-devel giflib-devel libavif-devel libjxl-devel
  lcms2-devel isa-l-devel libzstd-devel libyaml-devel cmark-gfm-devel libmobi-devel pcre2-devel"
fedora_fonts="google-noto-serif-fonts google-noto-sans-fonts google-noto-serif-cjk-fonts hyphen-en"

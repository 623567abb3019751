#pragma once

// The faces that tests see are those that `fontconfig/fonts.conf` names. A program that is linked with this library sees no others:
// there is nothing to call.

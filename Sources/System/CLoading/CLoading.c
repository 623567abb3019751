#include "CLoading.h"
